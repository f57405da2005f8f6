"""What the numerical core costs on this machine: figures for people, ratios for comparisons."""
