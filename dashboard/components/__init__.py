"""What is drawn by our own code in the browser."""
