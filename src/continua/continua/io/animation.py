"""Animation files of simulated runs: GIF, or MP4 where ffmpeg is installed."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from matplotlib.animation import FFMpegWriter, FuncAnimation, PillowWriter
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from continua.io.rod_plots import BODY, equal_box

__all__ = ['animate_run']


def animate_run(
    motion,
    skeleton: Callable[[np.ndarray], list[np.ndarray]],
    path: Path,
    rate: float = 25.0,
    progress: Callable[[float], None] = lambda share: None,
) -> None:
    """Write a robot's centre lines and the way of its tip at real speed, `rate` pictures per second (Hz).

    motion: with time (m,) s, q (m, n) and tip_position (m, 3) m, as a trajectory or a run file. skeleton: the
    lines (k, 3) m at coordinates q (n,), always as many. progress is called with the share that is done, up
    to 1. Raises ValueError for another kind of file than .gif and .mp4, and for .mp4 where ffmpeg is missing.
    """
    writer = _writer(Path(path), rate)
    times = np.arange(motion.time[0], motion.time[-1] + 1e-9, 1.0 / rate)
    frames = np.clip(np.searchsorted(motion.time, times), 0, motion.time.size - 1)
    figure = Figure(figsize=(5.0, 5.0), layout='constrained')
    FigureCanvasAgg(figure)
    ax = figure.add_subplot(projection='3d')
    drawn = {frame: skeleton(motion.q[frame]) for frame in frames}
    body = [ax.plot([], [], [], color=BODY, lw=3.0)[0] for _ in drawn[frames[0]]]
    (trail,) = ax.plot([], [], [], color=BODY, lw=0.6, alpha=0.6)
    equal_box(ax, np.concatenate([line for lines in drawn.values() for line in lines]))
    ax.set(xlabel='x [m]', ylabel='y [m]', zlabel='z [m]')
    ax.locator_params(nbins=5)

    def draw(frame: int) -> tuple:
        for artist, line in zip(body, drawn[frame], strict=True):
            artist.set_data_3d(*line.T)
        trail.set_data_3d(*motion.tip_position[: frame + 1].T)
        ax.set_title(f't = {motion.time[frame]:.2f} s')
        return *body, trail

    animation = FuncAnimation(figure, draw, frames=frames, blit=False)
    try:
        animation.save(path, writer, dpi=80, progress_callback=lambda i, n: progress((i + 1) / n))
    except OSError as error:
        raise ValueError(f'{path}: the animation cannot be written: {error.strerror}') from None


def _writer(path: Path, rate: float) -> PillowWriter | FFMpegWriter:
    if path.suffix == '.gif':
        return PillowWriter(fps=rate)
    if path.suffix != '.mp4':
        raise ValueError(f'{path}: expected a file that ends in .gif or .mp4')
    if not FFMpegWriter.isAvailable():
        raise ValueError(f'{path}: ffmpeg is not installed; write a .gif instead, or install ffmpeg')
    return FFMpegWriter(fps=rate)
