#if GTK
import WebImageGTK
print("x")
#endif
