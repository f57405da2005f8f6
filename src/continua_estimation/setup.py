from setuptools import find_packages, setup

setup(
    name='continua_estimation',
    version='0.1.0',
    description='Estimator nodes: shape least squares, observers, filters.',
    packages=find_packages(include=['continua_estimation', 'continua_estimation.*']),
    data_files=[
        ('share/ament_index/resource_index/packages', ['resource/continua_estimation']),
        ('share/continua_estimation', ['package.xml']),
    ],
    install_requires=['setuptools'],
    extras_require={'test': ['pytest']},
    zip_safe=True,
    license='Apache-2.0',
    entry_points={
        'console_scripts': [
            'fused_observer = continua_estimation.fused_observer_node:main',
            'sdre_observer = continua_estimation.sdre_observer_node:main',
            'shape_estimator = continua_estimation.shape_estimator_node:main',
            'ukf = continua_estimation.ukf_node:main',
        ]
    },
)
