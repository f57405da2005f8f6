from setuptools import find_packages, setup

setup(
    name='continua_drivers',
    version='0.1.0',
    description='Drivers of real devices: tendon controller, valves, motion capture, cameras.',
    packages=find_packages(include=['continua_drivers', 'continua_drivers.*']),
    data_files=[
        ('share/ament_index/resource_index/packages', ['resource/continua_drivers']),
        ('share/continua_drivers', ['package.xml']),
    ],
    install_requires=['setuptools'],
    extras_require={'test': ['pytest']},
    zip_safe=True,
    license='Apache-2.0',
    entry_points={
        'console_scripts': [
            'mocap = continua_drivers.mocap_node:main',
            'pressure_pid = continua_drivers.pressure_pid_node:main',
            'tendon_driver = continua_drivers.tendon_driver_node:main',
            'valve_driver = continua_drivers.valve_driver_node:main',
        ],
        'continua.commands': ['bench-mocap = continua_drivers.mocap_bench:bench_mocap'],
    },
)
