"""What pages cost, in large installations and open in many browsers."""
