// One import is enough for users: what appears in this module's public interface comes along with it.
@_exported public import ByteBuffers
@_exported public import ImageCaching
@_exported public import ImageCoding
@_exported public import ImageFetching
@_exported public import ImageProcessing
@_exported public import Pixels
