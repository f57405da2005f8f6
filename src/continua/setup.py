from setuptools import find_packages, setup

setup(
    name='continua',
    version='0.1.0',
    description='Models, estimators and controllers for soft continuum robots; no ROS needed.',
    packages=find_packages(include=['continua', 'continua.*']),
    package_data={'continua.cosserat': ['*.c']},
    data_files=[
        ('share/ament_index/resource_index/packages', ['resource/continua']),
        ('share/continua', ['package.xml']),
    ],
    python_requires='>=3.10',
    install_requires=[
        'casadi',
        'matplotlib',
        'mcap',
        'natnet',
        'numba',
        'numpy',
        'pydantic>=2.10',
        'pyserial',
        'pyyaml',
        'rich',
        'rosbags',
        'scipy',
        'typer',
    ],
    extras_require={
        'test': ['hypothesis', 'pytest'],
        'peers': ['pyelastica==1.0.0', "soromox==0.5.0; python_version >= '3.11'"],
    },
    zip_safe=False,
    license='Apache-2.0',
    # Into bin, not lib/continua: colcon's environment puts it on the PATH.
    entry_points={
        'console_scripts': ['continua = continua.cli.main:main'],
        'continua.commands': [
            'bag = continua.cli.bag:bag',
            'bench = continua.cli.bench:bench',
            'check = continua.cli.check:check',
            'compile = continua.cli.compile:compile_kernels',
            'doctor = continua.cli.doctor:doctor',
            'identify = continua.cli.identify:identify',
            'koopman = continua.cli.koopman:koopman',
            'mocap = continua.cli.mocap:mocap',
            'modal = continua.cli.modal:modal',
            'reduce = continua.cli.reduce:reduce',
            'repro = continua.cli.repro:repro',
            'simulate = continua.cli.simulate:simulate',
            'statics = continua.cli.statics:statics',
        ],
    },
)
