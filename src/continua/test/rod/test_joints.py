"""Joints, their springs, stops and dampers, and the drives that hold or push them."""

import numpy as np
import pytest
from linkages import LENGTH, bar, robot, soft
from scipy.linalg import expm
from scipy.spatial.transform import Rotation

from continua.description import Robot
from continua.rod import Integrator, Rod

ARM, MASS = 0.3, 0.5
INERTIA = MASS * ARM**2 / 3.0
STILL = {'gravity': [0.0, 0.0, 0.0]}
TABLE = {'type': 'table', 'coordinate': [-0.5, 0.0, 0.4], 'force': [-2.0, 0.0, 0.6]}
FORCE = {'name': 'motor', 'joint': 'arm', 'type': 'force', 'limits': {'effort': [-9.0, 9.0]}}


def sprung(springs=None, **joint):
    """A bar on a sprung joint with a force drive, without gravity."""
    return Rod(robot(bar('arm', ARM, MASS, **joint), drives=[FORCE], **STILL), springs=springs)


def hat(twist):
    x, y, z, *rest = twist
    return np.block([[np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]]), np.reshape(rest, (3, 1))],
                     [np.zeros((1, 4))]])  # fmt: skip


UP, ACROSS = [0.0, 0.6, 0.8], [0.0, 0.8, -0.6]
KINDS = {
    'revolute': {'axis': UP},
    'prismatic': {'axis': UP},
    'cylindrical': {'axis': UP},
    'planar': {'normal': UP},
    'universal': {'axes': [UP, ACROSS]},
    'spherical': {},
    'free': {},
}


@pytest.mark.parametrize('kind', KINDS)
def test_a_joint_moves_its_link_by_the_exponentials_of_its_twists(kind):
    """Behind the joint's pose on its parent; and the Jacobian is the derivative of that."""
    pose = {'position': [0.1, 0.2, -0.1], 'orientation_xyzw': Rotation.from_rotvec([0.3, 0.4, 0.5]).as_quat()}
    pose['orientation_xyzw'] = pose['orientation_xyzw'].tolist()
    link = bar('arm', ARM, MASS) | {'attach': pose, 'joint': {'type': kind} | KINDS[kind]}
    link['body'] |= {'inertia': [1e-3, 4e-3, 4e-3, 0.0, 0.0, 0.0]}
    rod = Rod(robot(link))
    q = np.random.default_rng(1).normal(size=rod.dof)

    def tip(q):
        g = np.eye(4)
        g[:3, :3] = Rotation.from_quat(pose['orientation_xyzw']).as_matrix()
        g[:3, 3], start = pose['position'], 0
        for twist in rod.robot.links[0].joint.twists:
            part = q[start : start + twist.shape[1]]
            g, start = g @ expm(hat(twist @ part)), start + twist.shape[1]
        return g @ expm(hat([0.0, 0.0, 0.0, ARM, 0.0, 0.0]))

    R, p, J = rod.sampler(np.array([ARM])).jacobian(q)
    g = tip(q)
    assert np.allclose(R[0], g[:3, :3], rtol=0, atol=1e-12)
    assert np.allclose(p[0], g[:3, 3], rtol=0, atol=1e-12)
    for i, e in enumerate(1e-6 * np.eye(rod.dof)):
        body = np.linalg.solve(g, tip(q + e) - tip(q - e)) / 2e-6
        twist = [body[2, 1], body[0, 2], body[1, 0], *body[:3, 3]]
        assert np.allclose(J[0, :, i], twist, rtol=0, atol=1e-8)


def test_a_linear_spring_with_rest_and_damper():
    rod = sprung(stiffness=3.0, rest=[0.2], damping=0.1)
    assert rod.statics([0.6]).q[0] == pytest.approx(0.2 + 0.6 / 3.0, rel=1e-12)
    q, qd = np.array([0.5]), np.array([2.0])
    expected = (0.6 - 3.0 * 0.3 - 0.1 * 2.0) / INERTIA
    assert rod.acceleration(q, qd, u=[0.6])[0] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize('rest', [0.0, 0.3])
@pytest.mark.parametrize('away', [-0.9, -0.3, -0.1, 0.2, 0.4, 0.7])
def test_a_tabulated_spring_is_linear_between_and_beyond_its_values(rest, away):
    rod = sprung(stiffness=TABLE, rest=[rest])
    # 4 N m/rad on one side and 1.5 on the other, beyond the table too
    expected = 4.0 * away if away < 0.0 else 1.5 * away
    assert rod.residual([rest + away])[0] == pytest.approx(expected, abs=1e-12)
    result = rod.statics([expected], q0=[rest + 0.05])
    assert result.converged and result.q[0] == pytest.approx(rest + away, abs=1e-10)


@pytest.mark.parametrize('away', [-0.8, -0.5, 0.1, 0.7, 1.2])
def test_stops_push_back_beyond_the_range(away):
    rod = sprung(stiffness=2.0, limits={'range': [-0.5, 0.7], 'stiffness': 100.0})
    expected = 2.0 * away + 100.0 * (max(away - 0.7, 0.0) + min(away + 0.5, 0.0))
    assert rod.residual([away])[0] == pytest.approx(expected, abs=1e-12)


def test_a_spring_law_of_the_users():
    """Tabulated at 401 knots over half a turn to each side: off by h^2 / 8 times the second derivative."""
    error = (2.0 * np.pi / 400.0) ** 2 / 8.0 * (2.0 + 6.0 * np.pi)
    rod = sprung(springs={'arm': lambda x: 2.0 * np.sin(x) + x**3})
    for angle in (-2.0, -0.3, 0.4, 1.7):
        assert rod.residual([angle])[0] == pytest.approx(2.0 * np.sin(angle) + angle**3, abs=error)
    result = rod.statics([1.0])
    assert 2.0 * np.sin(result.q[0]) + result.q[0] ** 3 == pytest.approx(1.0, abs=error)


@pytest.mark.parametrize(
    ('springs', 'joint'),
    [
        (None, {'stiffness': 3.0, 'rest': [0.3]}),
        (None, {'stiffness': TABLE, 'rest': [0.1], 'limits': {'range': [-0.3, 0.5], 'stiffness': 40.0}}),
        ({'arm': lambda x: 2.0 * np.sin(x) + x**3}, {}),
    ],
)
def test_springs_give_back_the_energy_that_they_take(springs, joint):
    rod = sprung(springs, **joint)
    # the energy is the work of the force on the way from zero
    way = np.linspace(0.0, 0.9, 20001)
    force = [rod.residual([x])[0] for x in way]
    stored = rod.energy(np.array([0.9]), np.zeros(1)) - rod.energy(np.zeros(1), np.zeros(1))
    assert stored == pytest.approx(np.trapezoid(force, way), rel=1e-6)
    motion = Integrator(rod, tolerance=1e-10)
    motion.reset(np.array([0.9]))
    start, energy = rod.energy(motion.q, motion.qd), []
    for _ in range(2000):
        assert motion.step(2e-4, [0.0])
        energy.append(rod.energy(motion.q, motion.qd))
    assert np.abs(np.array(energy) - start).max() < 1e-3 * stored


def test_a_force_drive_pushes_its_coordinate_only():
    link = bar('arm', ARM, MASS) | {'joint': {'type': 'planar', 'normal': [0.0, 0.0, 1.0], 'stiffness': 2.0}}
    rod = Rod(robot(link, drives=[FORCE | {'coordinate': 1}], **STILL))
    assert np.allclose(rod.statics([0.4]).q, [0.0, 0.2, 0.0], rtol=0, atol=1e-12)


def driven(time_constant=0.0):
    """A soft arm on a joint that a position drive holds."""
    drive = FORCE | {'type': 'position', 'limits': {'position': [-2.0, 2.0]}, 'time_constant': time_constant}
    joint = {'type': 'revolute', 'axis': [0.0, 1.0, 0.0]}
    return Rod(robot(soft('arm', bending_y=2, joint=joint, damping=1e4), drives=[drive]), points=24)


def test_a_position_drive_holds_and_bears_the_weight():
    rod = driven()
    result = rod.statics(target=[0.3])
    assert result.converged and result.stable
    assert result.q[0] == pytest.approx(0.3, abs=1e-10)
    # the effort is the moment of the weight about the joint: m g times the lever of the centre of mass
    x, w = np.polynomial.legendre.leggauss(12)
    link, X = rod.robot.links[0], LENGTH / 2.0 * (1.0 + x)
    mass = LENGTH / 2.0 * w * link.material.density * link.area(X)
    moment = -9.81 * mass @ rod.shape(result.q, X).position[:, 0]
    assert result.reaction[0] == pytest.approx(moment, rel=1e-6)
    assert result.reaction[0] == pytest.approx(rod.residual(result.q)[0], rel=1e-9)


@pytest.mark.parametrize('time_constant', [0.05, 0.2])
def test_a_position_drive_goes_to_its_target_with_its_time_constant(time_constant):
    rod = driven(time_constant)
    motion = Integrator(rod)
    motion.reset(rod.statics().q)
    for _ in range(200):
        assert motion.step(1e-3, [], target=[0.5])
    assert motion.q[0] == pytest.approx(0.5 * (1.0 - np.exp(-0.2 / time_constant)), rel=2e-3)
    assert motion.qd[0] == pytest.approx((0.5 - motion.q[0]) / time_constant, rel=2e-2)


def test_a_shaken_base_moves_as_prescribed():
    """Six drives move the base of a stiff soft link."""
    drives = [
        {'name': f'base_{i}', 'joint': 'beam', 'type': 'position', 'coordinate': i,
         'limits': {'position': [-1.0, 1.0]}} for i in range(6)
    ]  # fmt: skip
    link = soft('beam', joint={'type': 'free'}, bending_y=0, damping=1e5)
    stiff = link | {'material': link['material'] | {'youngs_modulus': 1e9}}
    rod = Rod(robot(stiff, drives=drives, **STILL))
    size, rate = np.array([0.0, 0.0, 0.0, 0.02, -0.01, 0.03]), 2.0 * np.pi * 2.0

    def path(t):
        return size * np.sin(rate * t)

    motion, h, worst = Integrator(rod, tolerance=1e-9), 2e-3, 0.0
    motion.reset(np.zeros(rod.dof), np.append(rate * size, 0.0))
    for step in range(250):
        begin, end = step * h, (step + 1) * h
        speed = (path(end) - path(begin)) / h
        assert motion.step(h, [], target=path(0.5 * (begin + end)), target_rate=speed)
        worst = max(worst, np.abs(motion.q[:6] - path(end)).max())
    # without the rate it lags by 0.01 s of the motion, some 4 mm
    assert worst < 2e-5


def test_a_coordinate_that_moves_no_mass_is_refused_with_a_sentence():
    spinning = {'joint': {'type': 'revolute', 'axis': [1, 0, 0]}}
    thin = {
        'type': 'lumped',
        'mass': 0.1,
        'center_of_mass': [0.05, 0, 0],
        'inertia': [0, 1e-4, 1e-4, 0, 0, 0],
    }
    link = {'name': 'needle', 'type': 'rigid', 'length': 0.1, 'body': thin, **spinning}
    with pytest.raises(ValueError, match='some coordinate moves no mass'):
        Rod(Robot.model_validate({'version': 1, 'name': 'needle', 'links': [link]}))
