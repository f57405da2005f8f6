from setuptools import find_packages, setup

setup(
    name='continua_tests',
    version='0.1.0',
    description='Closed-loop, fault and repository-rule tests of the whole stack.',
    packages=find_packages(include=['continua_tests', 'continua_tests.*']),
    data_files=[
        ('share/ament_index/resource_index/packages', ['resource/continua_tests']),
        ('share/continua_tests', ['package.xml']),
    ],
    install_requires=['setuptools'],
    extras_require={'test': ['pytest']},
    zip_safe=True,
    license='Apache-2.0',
    entry_points={'console_scripts': []},
)
