from setuptools import find_packages, setup

setup(
    name='continua_control',
    version='0.1.0',
    description='Controller nodes and the reference player.',
    packages=find_packages(include=['continua_control', 'continua_control.*']),
    data_files=[
        ('share/ament_index/resource_index/packages', ['resource/continua_control']),
        ('share/continua_control', ['package.xml']),
    ],
    install_requires=['setuptools'],
    extras_require={'test': ['pytest']},
    zip_safe=True,
    license='Apache-2.0',
    entry_points={
        'console_scripts': [
            'goal_player = continua_control.goal_player_node:main',
            'koopman_lqr = continua_control.koopman_lqr_node:main',
            'nempc = continua_control.nempc_node:main',
            'reference_player = continua_control.reference_player_node:main',
        ]
    },
)
