"""How each kind is drawn: one module a shape, one function a kind."""
