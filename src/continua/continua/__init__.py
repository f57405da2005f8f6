"""Models, estimators and controllers for soft continuum robots; no ROS needed."""
