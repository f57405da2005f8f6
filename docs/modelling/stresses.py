"""Stresses in the soft arm of docs/modelling.md, and the energy balance of its motion."""

import numpy as np

from continua.description import load_robot
from continua.io.rod_plots import energy_figure, save
from continua.io.run_file import load_run
from continua.rod import Rod
from continua.rod.drawing import draw
from continua.rod.energy import energy_balance
from continua.rod.fields import section_wrench, skin_stress
from continua.rod.surface import outline

rod = Rod(load_robot('docs/modelling/soft_arm.yaml'))
arm = rod.robot.link('arm')
q = rod.statics([3.0, 0.0, 0.0]).q

X = np.linspace(0.0, arm.length, 31)
stress = skin_stress(rod, q, 'arm', X, outline(arm.section, X / arm.length))
worst = np.unravel_index(np.argmax(stress.von_mises), stress.von_mises.shape)
print(f'largest stress {stress.von_mises[worst] / 1e3:.1f} kPa, {X[worst[0]]:.2f} m from the base')
wrench = section_wrench(rod, q, 'arm', np.array([0.15]))[0]
moment = np.linalg.norm(wrench[:3])
print(f'at 0.15 m the body carries {wrench[3]:.2f} N along it and a moment of {moment * 1e3:.1f} N mm')
print(f'volume {draw(rod, q).soft["arm"].volume * 1e6:.1f} cm3')

run = load_run('soft_arm.npz')
balance = energy_balance(rod, run.time, run.q, run.qd, run.u)
work, heat, missing = balance.input_work[-1], balance.dissipated[-1], np.abs(balance.imbalance).max()
print(
    f'the tendon works {work * 1e3:.2f} mJ, {heat * 1e3:.2f} mJ dissipate, {missing * 1e6:.1f} uJ are missing'
)
save(energy_figure(balance), 'energy.png')
