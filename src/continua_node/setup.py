from setuptools import find_packages, setup

setup(
    name='continua_node',
    version='0.1.0',
    description='What every continua node shares: parameters, QoS, conversions, diagnostics, spin.',
    packages=find_packages(include=['continua_node', 'continua_node.*']),
    data_files=[
        ('share/ament_index/resource_index/packages', ['resource/continua_node']),
        ('share/continua_node', ['package.xml']),
    ],
    install_requires=['setuptools'],
    extras_require={'test': ['pytest']},
    zip_safe=True,
    license='Apache-2.0',
    entry_points={'console_scripts': []},
)
