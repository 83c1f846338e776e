"""The parts of the example application: its pages, what they read, and the server that sends them."""
