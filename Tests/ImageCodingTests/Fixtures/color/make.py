#!/usr/bin/env python3
"""Makes the pictures of this folder, each in colours of its own, and the sRGB pixels that lcms2's transicc makes of them.

Needs numpy and Pillow, and the programs cjpeg, djpeg (libjpeg-turbo), cwebp, webpmux (package webp), exiftool, and
transicc (package liblcms2-utils). Profiles are written here, from published primaries and curves.
NAME.rgb holds the expected rows without alpha.
"""
import io, pathlib, struct, subprocess, tempfile, zlib
import numpy as np
from PIL import Image, ImageCms

HERE = pathlib.Path(__file__).parent
W, H = 24, 16


# ---- Profiles --------------------------------------------------------------------------------------------------------
def s15(value):
    return struct.pack(">i", round(value * 65536))


def profile(space, tags, version=0x04300000, pcs=b"XYZ "):
    table, data = b"", b""
    start = 128 + 4 + 12 * len(tags)
    for name, content in tags:
        content += bytes(-len(content) % 4)
        table += name + struct.pack(">II", start + len(data), len(content))
        data += content
    header = struct.pack(">I4sI4s4s4s", 0, b"test", version, b"prtr" if space == b"CMYK" else b"mntr", space, pcs)
    header += struct.pack(">6H", 2026, 1, 1, 0, 0, 0) + b"acsp" + bytes(28) + s15(0.9642) + s15(1) + s15(0.8249)
    header += bytes(128 - len(header))
    body = header + struct.pack(">I", len(tags)) + table + data
    return struct.pack(">I", len(body)) + body[4:]


def text(words):
    encoded = words.encode("utf-16-be")
    return b"mluc" + bytes(4) + struct.pack(">II2s2sII", 1, 12, b"en", b"US", len(encoded), 28) + encoded


def xyz(values):
    return b"XYZ " + bytes(4) + b"".join(s15(v) for v in values)


def para(kind, *numbers):
    return b"para" + bytes(4) + struct.pack(">HH", kind, 0) + b"".join(s15(n) for n in numbers)


SRGB = para(3, 2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045)
BRADFORD = np.array([[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]])
D50 = np.array([0.9642, 1, 0.8249])


def matrix_profile(name, primaries, curve, white=(0.3127, 0.3290), more=()):
    def place(x, y):
        return np.array([x / y, 1, (1 - x - y) / y])
    columns = np.array([place(*p) for p in primaries]).T
    columns = columns * np.linalg.solve(columns, place(*white))
    cone = np.diag((BRADFORD @ D50) / (BRADFORD @ place(*white)))
    adapted = np.linalg.inv(BRADFORD) @ cone @ BRADFORD @ columns
    tags = [(b"desc", text(name)), (b"wtpt", xyz(D50))]
    tags += [(n, xyz(adapted[:, i])) for i, n in enumerate((b"rXYZ", b"gXYZ", b"bXYZ"))]
    return profile(b"RGB ", tags + [(n, curve) for n in (b"rTRC", b"gTRC", b"bTRC")] + list(more))


P3 = [(0.680, 0.320), (0.265, 0.690), (0.150, 0.060)]
BT709 = [(0.64, 0.33), (0.30, 0.60), (0.15, 0.06)]
BT2020 = [(0.708, 0.292), (0.170, 0.797), (0.131, 0.046)]
ADOBE = [(0.64, 0.33), (0.21, 0.71), (0.15, 0.06)]
profiles = {
    "p3": matrix_profile("Display P3", P3, SRGB),
    "adobe": matrix_profile("Wide RGB", ADOBE, para(0, 563 / 256)),
    "bt2020": matrix_profile("BT.2020", BT2020, para(3, 1 / 0.45, 1 / 1.0993, 0.0993 / 1.0993, 1 / 4.5, 0.08145)),
    "srgb": matrix_profile("sRGB", BT709, SRGB),
    "gamma22": matrix_profile("Gamma 2.2", BT709, para(0, 2.2)),
    "gray": profile(b"GRAY", [(b"desc", text("Gray 1.8")), (b"wtpt", xyz(D50)), (b"kTRC", para(0, 1.8))]),
    "gray-srgb": profile(b"GRAY", [(b"desc", text("Gray sRGB")), (b"wtpt", xyz(D50)), (b"kTRC", SRGB)]),
}


# sRGB as other programs write it: by lcms2, and as a table of 1,024 lights.
steps = np.arange(1024) / 1023
lights = np.where(steps <= 0.04045, steps / 12.92, ((steps + 0.055) / 1.055) ** 2.4)
table = b"curv" + bytes(4) + struct.pack(">I", 1024) + np.round(lights * 65535).astype(">u2").tobytes()
profiles["srgb-table"] = matrix_profile("sRGB", BT709, table)
named = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
named[24:36] = struct.pack(">6H", 2026, 1, 1, 0, 0, 0)  # else the file changes with the clock
profiles["srgb-lcms"] = bytes(named)


def ink_profile():
    """Inks as filters over paper: a table of 6 steps an ink, 16 bits, to Lab."""
    steps = 6
    axis = np.linspace(0, 1, steps)
    c, m, y, k = np.meshgrid(axis, axis, axis, axis, indexing="ij")
    light = np.stack([(1 - 0.86 * c) * (1 - 0.12 * m) * (1 - 0.03 * y), (1 - 0.28 * c) * (1 - 0.80 * m) * (1 - 0.07 * y),
                      (1 - 0.12 * c) * (1 - 0.42 * m) * (1 - 0.85 * y)], -1) * (1 - 0.97 * k)[..., None]
    to_xyz = np.array([[0.4361, 0.3851, 0.1431], [0.2225, 0.7169, 0.0606], [0.0139, 0.0971, 0.7141]])
    share = (light @ to_xyz.T) / D50
    f = np.where(share > 216 / 24389, np.cbrt(share), (24389 / 27 * share + 16) / 116)
    lab = np.stack([116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]), 200 * (f[..., 1] - f[..., 2])], -1)
    words = np.clip(np.stack([lab[..., 0] * 652.80, (lab[..., 1] + 128) * 256, (lab[..., 2] + 128) * 256], -1), 0, 65535)
    linear = struct.pack(">2H", 0, 65535)
    table = b"mft2" + bytes(4) + bytes([4, 3, steps, 0]) + b"".join(s15(v) for v in np.eye(3).ravel())
    table += struct.pack(">HH", 2, 2) + linear * 4 + np.round(words).astype(">u2").tobytes() + linear * 3
    return profile(b"CMYK", [(b"desc", b"desc" + bytes(4) + struct.pack(">I", 5) + b"Inks\0" + bytes(78)),
                             (b"wtpt", xyz(D50)), (b"A2B0", table)], version=0x02400000, pcs=b"Lab ")


profiles["inks"] = ink_profile()
for name, data in profiles.items():
    (HERE / f"{name}.icc").write_bytes(data)


# ---- What transicc makes of samples --------------------------------------------------------------------------------
def transicc(samples, icc, full):
    """Rows of samples, 0 to `full`, to sRGB from 0 to 255, as the library converts them one by one in doubles."""
    unique, places = np.unique(samples.reshape(-1, samples.shape[-1]), axis=0, return_inverse=True)
    scale = 100 if samples.shape[-1] == 4 else 255
    lines = "\n".join(" ".join(f"{int(v) * scale / full:.6f}" for v in row) for row in unique) + "\n"
    out = subprocess.run(["transicc", f"-i{icc}", "-o*sRGB", "-t0", "-b", "-n", "-s"], input=lines, text=True,
                         capture_output=True, check=True).stdout
    found = np.array([[float(v) for v in line.split()] for line in out.strip().splitlines()])
    assert found.shape == (len(unique), 3), (found.shape, len(unique), out[:200])
    return found[places.ravel()].reshape(samples.shape[:-1] + (3,))


def expect(name, rgb):
    (HERE / f"{name}.rgb").write_bytes(np.clip(np.round(rgb), 0, 255).astype(np.uint8).tobytes())


y, x = np.mgrid[0:H, 0:W]
rgb = np.stack([x * 255 // (W - 1), y * 255 // (H - 1), (x * 11 + y * 29) % 256], 2).astype(np.uint8)
rgb[0, :8] = [[0, 0, 0], [255, 255, 255], [255, 0, 0], [0, 255, 0], [0, 0, 255], [128, 128, 128], [1, 1, 1], [12, 200, 7]]
alpha = ((x * 9 + y * 5) % 256).astype(np.uint8)
gray = ((x * 11 + y * 3) % 256).astype(np.uint8)
rng = np.random.default_rng(5)
rgb16 = rng.integers(0, 65536, (H, W, 3), dtype=np.uint16)


def run(*words, data=None):
    return subprocess.run([str(w) for w in words], input=data, check=True, capture_output=True).stdout


def pnm(data):
    fields = data.split(maxsplit=4)
    shape = int(fields[2]), int(fields[1]), 3 if data[:2] == b"P6" else 1
    return np.frombuffer(data[-np.prod(shape):], np.uint8).reshape(shape)


# ---- JPEG: what djpeg decodes, converted -----------------------------------------------------------------------------
def to_pnm(array):
    kind = b"P6" if array.ndim == 3 else b"P5"
    return kind + b"\n%d %d\n255\n" % (W, H) + array.tobytes()


for name in ("p3", "adobe", "bt2020", "srgb", "gamma22"):
    (HERE / f"{name}.jpg").write_bytes(run("cjpeg", "-quality", 95, "-sample", "1x1", "-icc", HERE / f"{name}.icc",
                                           data=to_pnm(rgb)))
    decoded = pnm(run("djpeg", "-pnm", HERE / f"{name}.jpg"))
    expect(f"{name}-jpeg", transicc(decoded, HERE / f"{name}.icc", 255) if name != "srgb" else decoded)
# Without a profile, but with the index by which cameras name Adobe RGB.
(HERE / "exif-adobe.jpg").write_bytes((HERE / "adobe.jpg").read_bytes())
run("exiftool", "-q", "-overwrite_original", "-icc_profile=", "-InteropIndex=R03", HERE / "exif-adobe.jpg")
expect("exif-adobe-jpeg", transicc(pnm(run("djpeg", "-pnm", HERE / "exif-adobe.jpg")), HERE / "adobe.icc", 255))
for name in ("gray", "gray-srgb"):
    (HERE / f"{name}.jpg").write_bytes(run("cjpeg", "-quality", 95, "-grayscale", "-icc", HERE / f"{name}.icc",
                                           data=to_pnm(gray)))
    decoded = pnm(run("djpeg", "-pnm", HERE / f"{name}.jpg"))
    expect(f"{name}-jpeg", transicc(decoded, HERE / f"{name}.icc", 255) if name == "gray" else decoded.repeat(3, 2))
# A grey picture whose profile is made for colours: grey is three equal samples.
(HERE / "gray-wide.jpg").write_bytes(run("cjpeg", "-quality", 95, "-grayscale", "-icc", HERE / "adobe.icc", data=to_pnm(gray)))
decoded = pnm(run("djpeg", "-pnm", HERE / "gray-wide.jpg")).repeat(3, 2)
expect("gray-wide-jpeg", transicc(decoded, HERE / "adobe.icc", 255))

inks = np.stack([x * 255 // (W - 1), y * 255 // (H - 1), (x * 7 + y * 5) % 256, (x * 3 + y * 17) % 200], 2).astype(np.uint8)
Image.fromarray(inks, "CMYK").save(HERE / "cmyk.jpg", quality=95, subsampling=0, icc_profile=profiles["inks"])
decoded = np.asarray(Image.open(HERE / "cmyk.jpg"))  # Pillow has turned Adobe's inverted inks round
expect("cmyk-jpeg", transicc(decoded, HERE / "inks.icc", 255))
data = bytearray((HERE / "cmyk.jpg").read_bytes())
data[data.index(b"Adobe") + 11] = 2
(HERE / "ycck.jpg").write_bytes(data)
expect("ycck-jpeg", transicc(np.asarray(Image.open(HERE / "ycck.jpg")), HERE / "inks.icc", 255))


# ---- PNG -------------------------------------------------------------------------------------------------------------
def chunk(name, content):
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def png(name, samples, color, *more, interlaced=False):
    bits = 8 * samples.dtype.itemsize
    rows = samples.astype(f">u{samples.dtype.itemsize}")
    body = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", W, H, bits, color, 0, 0, 0))
    body += b"".join(chunk(n, c) for n, c in more)
    body += chunk(b"IDAT", zlib.compress(b"".join(b"\0" + r.tobytes() for r in rows), 9)) + chunk(b"IEND", b"")
    (HERE / f"{name}.png").write_bytes(body)


def iccp(name):
    return b"iCCP", b"any name\0\0" + zlib.compress(profiles[name], 9)


def chrm(primaries, white=(0.3127, 0.3290)):
    return b"cHRM", b"".join(struct.pack(">I", round(v * 100000)) for p in (white, *primaries) for v in p)


rgba = np.concatenate([rgb, alpha[..., None]], 2)
png("p3", rgb, 2, iccp("p3"))
expect("p3-png", transicc(rgb, HERE / "p3.icc", 255))
png("p3-alpha", rgba, 6, iccp("p3"))
expect("p3-alpha-png", transicc(rgb, HERE / "p3.icc", 255))
png("p3-16", rgb16, 2, iccp("p3"))
expect("p3-16-png", transicc(rgb16, HERE / "p3.icc", 65535))
png("gray-16", rgb16[..., 0], 0, iccp("gray"))
expect("gray-16-png", transicc(rgb16[..., :1], HERE / "gray.icc", 65535))
png("gray-alpha", np.stack([gray, alpha], 2), 4, iccp("gray"))
expect("gray-alpha-png", transicc(gray[..., None], HERE / "gray.icc", 255))
# Names sRGB although its profile says otherwise: the profile counts.
png("profile-first", rgb, 2, (b"sRGB", b"\0"), (b"gAMA", struct.pack(">I", 45455)), iccp("adobe"))
expect("profile-first-png", transicc(rgb, HERE / "adobe.icc", 255))
with tempfile.TemporaryDirectory() as folder:
    linear = pathlib.Path(folder) / "linear.icc"
    linear.write_bytes(matrix_profile("linear", BT709, para(0, 1.0)))
    png("gamma-1", rgb16, 2, (b"gAMA", struct.pack(">I", 100000)))
    expect("gamma-1-png", transicc(rgb16, linear, 65535))
    wide = pathlib.Path(folder) / "wide.icc"
    wide.write_bytes(matrix_profile("wide", ADOBE, para(0, 100000 / 45455)))
    png("gamma-primaries", rgb, 2, (b"gAMA", struct.pack(">I", 45455)), chrm(ADOBE))
    expect("gamma-primaries-png", transicc(rgb, wide, 255))
png("srgb-numbers", rgb, 2, (b"gAMA", struct.pack(">I", 45455)), chrm(BT709))
expect("srgb-numbers-png", rgb)
# Code points count before a profile.
png("cicp-p3", rgb, 2, (b"cICP", bytes([12, 13, 0, 1])), iccp("adobe"))
expect("cicp-p3-png", transicc(rgb, HERE / "p3.icc", 255))

# ---- WebP ------------------------------------------------------------------------------------------------------------
with tempfile.TemporaryDirectory() as folder:
    plain = pathlib.Path(folder) / "plain.webp"
    source = pathlib.Path(folder) / "source.png"
    Image.fromarray(rgba).save(source)
    run("cwebp", "-lossless", "-exact", source, "-o", plain)
    run("webpmux", "-set", "icc", HERE / "p3.icc", plain, "-o", HERE / "p3-alpha.webp")
expect("p3-alpha-webp", transicc(rgb, HERE / "p3.icc", 255))


# ---- PQ and HLG: BT.2100's and BT.2390's formulas in numpy ---------------------------------------------------------
M1, M2, C1, C2, C3 = 2610 / 16384, 2523 / 4096 * 128, 3424 / 4096, 2413 / 4096 * 32, 2392 / 4096 * 32


def pq(sample):
    p = np.power(sample, 1 / M2)
    return 10000 * np.power(np.maximum(p - C1, 0) / (C2 - C3 * p), 1 / M1)


def pq_inverse(light):
    p = np.power(np.asarray(light, float) / 10000, M1)
    return np.power((C1 + C2 * p) / (1 + C3 * p), M2)


def hlg(sample):
    a = 0.17883277
    b, c = 1 - 4 * a, 0.5 - a * np.log(4 * a)
    return np.where(sample <= 0.5, sample ** 2 / 3, (np.exp((sample - c) / a) + b) / 12)


def eetf(light, peak, target=203.0):
    e1 = np.minimum(pq_inverse(light) / pq_inverse(peak), 1)
    top = pq_inverse(target) / pq_inverse(peak)
    ks = 1.5 * top - 0.5
    t = (e1 - ks) / (1 - ks)
    bent = (2 * t**3 - 3 * t**2 + 1) * ks + (t**3 - 2 * t**2 + t) * (1 - ks) + (-2 * t**3 + 3 * t**2) * top
    return pq(np.where(e1 <= ks, e1, bent) * pq_inverse(peak))


def to_xyz(primaries, white=(0.3127, 0.3290)):
    columns = np.array([[px / py, 1, (1 - px - py) / py] for px, py in primaries]).T
    wx, wy = white
    return columns * np.linalg.solve(columns, np.array([wx / wy, 1, (1 - wx - wy) / wy]))


def mapped(samples, transfer, primaries, peak):
    """sRGB from 0 to 255 of samples from 0 to 1."""
    to = to_xyz(primaries)
    if transfer == 16:
        light = pq(samples)
    else:
        scene = hlg(samples)
        light = 1000 * scene * np.power(scene @ to[1], 0.2)[..., None]
        peak = 1000
    brightest = light.max(-1, keepdims=True)
    light = np.where(brightest > 0, light / np.maximum(brightest, 1e-12) * eetf(brightest, peak), 0) / 203
    out = light @ (np.linalg.inv(to_xyz(BT709)) @ to).T
    luminance = np.clip(out @ np.array([0.2126, 0.7152, 0.0722]), 0, 1)[..., None]
    over, under = out.max(-1, keepdims=True), out.min(-1, keepdims=True)
    share = np.minimum(np.where(over > 1, (1 - luminance) / np.maximum(over - luminance, 1e-12), 1),
                       np.where(under < 0, luminance / np.maximum(luminance - under, 1e-12), 1))
    out = np.clip(luminance + (out - luminance) * share, 0, 1)
    return 255 * np.where(out <= 0.0031308, 12.92 * out, 1.055 * np.power(out, 1 / 2.4) - 0.055)


for name, transfer, codes, primaries, peak, more in (
    ("pq-2020", 16, 9, BT2020, 1000, []), ("pq-p3", 16, 12, P3, 1000, []), ("hlg-2020", 18, 9, BT2020, 1000, []),
    ("pq-4000", 16, 9, BT2020, 4000, [(b"cLLI", struct.pack(">II", 40000000, 2000000))]),
):
    png(name, rgb16, 2, (b"cICP", bytes([codes, transfer, 0, 1])), *more)
    expect(f"{name}-png", mapped(rgb16 / 65535, transfer, primaries, peak))
# The code points stand in a profile's own tag.
named = matrix_profile("PQ", BT2020, SRGB, more=[(b"cicp", b"cicp" + bytes(4) + bytes([9, 16, 0, 1]))])
png("pq-profile", rgb16, 2, (b"iCCP", b"any name\0\0" + zlib.compress(named, 9)))
expect("pq-profile-png", mapped(rgb16 / 65535, 16, BT2020, 1000))
