"""Prints a line for pixels.txt: a file's name, the scale, and the size and FNV-1a hash of the PPM on standard input."""
import sys

data = sys.stdin.buffer.read()
fields, start = [], 0
while len(fields) < 4:
    end = start
    while data[end] not in b" \n":
        end += 1
    fields.append(data[start:end])
    start = end + 1
assert fields[0] == b"P6"
value = 0xCBF29CE484222325
for byte in data[start:]:
    value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
print(*sys.argv[1:], fields[1].decode(), fields[2].decode(), f"{value:016x}")
