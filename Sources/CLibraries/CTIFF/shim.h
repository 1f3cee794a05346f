#include <stddef.h>
#include <stdio.h>
#include <tiffio.h>
