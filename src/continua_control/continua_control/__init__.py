"""Controller nodes and the reference player."""

import os

# The matrices here are small: BLAS threads of several nodes would only wait for each other. NumPy reads this
# when it is first imported.
os.environ.setdefault('OPENBLAS_NUM_THREADS', '1')
