// One import is enough for users.
@_exported public import WebImage
