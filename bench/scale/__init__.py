"""How far one process carries and what its neighbours pay: slopes that are measured, and a model that adds them up."""
