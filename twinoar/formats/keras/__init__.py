"""Files of Keras: `.keras` archives, `.h5` models and `.weights.h5`."""
