// Declarations follow with the code.
