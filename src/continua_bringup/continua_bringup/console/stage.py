"""What stands still around a robot: light, base frame, clamps, floor and first point of view."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from continua.rod.surface import loft
from continua_bringup.console.objects import shell

if TYPE_CHECKING:
    import viser

    from continua.description import Robot
    from continua.rod.drawing import Drawing

__all__ = ['set_stage']

CLAMP = (120, 125, 135)


def set_stage(server: viser.ViserServer, robot: Robot, drawing: Drawing) -> float:
    """Set the stage for a robot as it is drawn; returns its size, the diagonal of its box in m."""
    scene, base = server.scene, robot.base
    solids = drawing.soft | drawing.rigid
    points = np.concatenate([mesh.vertices for mesh in solids.values()])
    low, high = points.min(axis=0), points.max(axis=0)
    size = float(np.linalg.norm(high - low))
    x, y, z, w = base.orientation_xyzw
    scene.configure_default_lights(cast_shadow=False)  # half the picture rate where there is no GPU
    scene.add_frame(
        '/base', wxyz=(w, x, y, z), position=base.position, axes_length=0.2 * size, axes_radius=0.006 * size
    )
    clamped = [solids[link.name].rings[0] for link in robot.links if link.parent is None]
    for i, outline in enumerate(clamped):
        _clamp(scene, f'/clamps/{i}', outline, 0.04 * size)
    middle, tangent = clamped[0].mean(axis=0), _section(clamped[0])[:, 0]
    # Under the robot wherever it sags to: at its base when it stands, one length below when it lies or hangs.
    floor = min(low[2], middle[2] - 1.05 * size * np.clip(1.0 - tangent[2], 0.0, 1.0))
    scene.add_grid(
        '/floor',
        width=4 * size,
        height=4 * size,
        cell_size=0.05,
        section_size=0.25,
        position=(base.position[0], base.position[1], floor),
    )
    middle, camera = 0.5 * (low + high), server.initial_camera
    camera.fov = 0.6
    camera.position = tuple(middle + size * np.array([1.7, -2.0, 0.8]))
    camera.look_at = tuple(middle)
    camera.up = (0.0, 0.0, 1.0)
    return size


def _clamp(scene: viser.SceneApi, name: str, outline: np.ndarray, thickness: float) -> None:
    """A plate behind the first outline (k, 3) m of a link, with its form and wider."""
    R, middle = _section(outline), outline.mean(axis=0)
    edge = 1.8 * (outline - middle) @ R[:, 1:]
    plate = loft(np.stack([R, R]), np.stack([middle - thickness * R[:, 0], middle]), np.stack([edge, edge]))
    scene.add_mesh_simple(name, *shell([plate]), color=CLAMP)


def _section(outline: np.ndarray) -> np.ndarray:
    """Axes (3, 3) of an outline (k, 3) m: the first along the tangent."""
    first, second = outline[:2] - outline.mean(axis=0)
    x, y = np.cross(first, second), first
    x, y = x / np.linalg.norm(x), y / np.linalg.norm(y)
    return np.stack([x, y, np.cross(x, y)], axis=1)
