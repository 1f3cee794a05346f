"""A mountain lake, computed: terrain, light, forest, sky, water. Used by make-samples.py."""

import numpy as np
from PIL import Image, ImageDraw
from scipy import ndimage

WORLD = 12_000.0  # metres: x from -6000 to 6000, y (away from the camera) from 0 to 12000
GRID = 3072  # cells along each side of the height map
CELL = WORLD / GRID
EYE = 14.0  # metres above the lake

DAY = dict(sun=(-0.74, -0.22, 0.50), sunlight=(1.30, 1.12, 0.88), skylight=(0.30, 0.40, 0.56),
           zenith=(0.12, 0.28, 0.58), horizon=(0.62, 0.74, 0.86), haze=(0.50, 0.63, 0.80), clouds=0.15)
DUSK = dict(sun=(-0.93, 0.12, 0.21), sunlight=(1.75, 0.72, 0.34), skylight=(0.22, 0.22, 0.42),
            zenith=(0.10, 0.13, 0.36), horizon=(0.98, 0.56, 0.36), haze=(0.66, 0.42, 0.46), clouds=0.1)


def smooth(low, high, value):
    t = np.clip((value - low) / (high - low), 0, 1)
    return t * t * (3 - 2 * t)


def lattice(random, cells, size):
    """One octave of noise in -1...1: random values on a square of `cells`, cubic in between."""
    values = random.uniform(-1, 1, (cells + 3, cells + 3)).astype(np.float32)
    box = (1, 1, cells + 1, cells + 1)
    return np.asarray(Image.fromarray(values).resize((size, size), Image.Resampling.BICUBIC, box=box))


def fractal(random, cells, size, octaves, gain=0.5):
    total, amplitude = np.zeros((size, size), np.float32), 1.0
    for octave in range(octaves):
        if cells << octave > size:
            break
        total += amplitude * lattice(random, cells << octave, size)
        amplitude *= gain
    return total


def tile(random, size, slope):
    """Noise that repeats without a seam, its spectrum falling as 1 / frequency^slope; mean 0, deviation 1."""
    fx, fy = np.fft.rfftfreq(size)[None, :], np.fft.fftfreq(size)[:, None]
    radius = np.hypot(fx, fy)
    radius[0, 0] = 1
    spectrum = np.fft.rfft2(random.standard_normal((size, size))) / radius**slope
    spectrum[0, 0] = 0
    noise = np.fft.irfft2(spectrum, (size, size))
    return (noise / noise.std()).astype(np.float32)


def at(texture, x, y):
    """The repeating texture at these (real) cell positions, bilinear."""
    size = texture.shape[0]
    x0, y0 = np.floor(x).astype(np.int32), np.floor(y).astype(np.int32)
    fx, fy = (x - x0).astype(np.float32), (y - y0).astype(np.float32)
    x0, y0 = x0 % size, y0 % size
    x1, y1 = (x0 + 1) % size, (y0 + 1) % size
    top = texture[y0, x0] * (1 - fx) + texture[y0, x1] * fx
    return top * (1 - fy) + (texture[y1, x0] * (1 - fx) + texture[y1, x1] * fx) * fy


def on_map(field, x, y):
    """A height-map field at places given in metres."""
    rows, columns = y / CELL, (x + WORLD / 2) / CELL
    return ndimage.map_coordinates(field, [rows, columns], order=1, mode="nearest", output=np.float32)


class Terrain:
    def __init__(self, seed):
        random = np.random.default_rng(seed)
        y, x = np.mgrid[0:GRID, 0:GRID].astype(np.float32) * CELL
        x -= WORLD / 2
        # Ridged octaves; where the ground is already steep the next ones count less, as if washed out.
        height = np.zeros((GRID, GRID), np.float32)
        slope_x, slope_y = np.zeros_like(height), np.zeros_like(height)
        warp = 260 * fractal(random, 6, GRID, 4)
        amplitude, cells = 1.0, 4
        for octave in range(10):
            noise = lattice(random, min(cells, GRID), GRID)
            if octave < 5:
                noise = 1 - 2.0 * np.sqrt(noise * noise + 0.004)
            dy, dx = np.gradient(noise * (amplitude * GRID / 14))
            slope_x += dx
            slope_y += dy
            height += amplitude * noise / (1 + 0.45 * (slope_x**2 + slope_y**2))
            amplitude *= 0.47
            cells *= 2
        height = (height - height.min()) / (np.percentile(height, 99.7) - height.min())
        across = np.abs(x + warp - 350 - 600 * np.sin(y / 2600))
        valley = smooth(250, 3600, across) * smooth(900, 4600, y + warp)
        range_ = smooth(4200, 9200, y + 1.5 * warp)
        rise = np.clip(0.55 * valley + 0.95 * range_, 0, 1.15)
        shore = smooth(1250, 2100, y + 1.2 * warp + 0.35 * across * (across > 900))
        self.height = rise * (350 + 2350 * height) + 26 * shore - 14 + 5 * fractal(random, 24, GRID, 6)
        self.slope_y, self.slope_x = np.gradient(self.height, CELL)
        self.patches = fractal(random, 48, GRID, 6)

    def sunlit(self, sun):
        """How much of the sun each cell sees, 0...1: shadows cast along the light's way, column by column."""
        lit = np.empty_like(self.height)
        step, drop = -sun[1] / -sun[0], CELL * sun[2] / -sun[0]
        rows = np.arange(GRID, dtype=np.float32)
        line = self.height[:, 0].copy()
        for column in range(GRID):
            line = np.interp(rows - step, rows, line) - drop
            lit[:, column] = 1 - np.clip((line - self.height[:, column]) / 14, 0, 1)
            line = np.maximum(line, self.height[:, column])
        return lit


def ground_colour(terrain, detail, x, y, height):
    """Albedo and surface slope of the ground at these places."""
    fine = at(detail, x * 0.45 + height * 0.2, y * 0.45)
    finer = at(detail, x * 1.3 + 77, y * 0.7 + height * 1.3)
    slope_x = on_map(terrain.slope_x, x, y)
    slope_y = on_map(terrain.slope_y, x, y)
    patch = on_map(terrain.patches, x, y)
    steep = np.hypot(slope_x, slope_y)
    strata = at(detail, x * 0.02, height * 0.30 + y * 0.015)
    rock = np.array([0.30, 0.275, 0.255], np.float32) * (1 + 0.13 * strata + 0.10 * fine + 0.07 * finer)[..., None]
    grass = np.array([0.20, 0.235, 0.085], np.float32) * (1 + 0.10 * fine + 0.10 * patch)[..., None]
    woods = np.array([0.055, 0.085, 0.045], np.float32) * (1 + 0.15 * fine)[..., None]
    snow = np.array([0.86, 0.89, 0.95], np.float32) * (1 + 0.015 * fine)[..., None]
    colour = rock
    green = (1 - smooth(0.62, 0.95, steep + 0.08 * fine)) * (1 - smooth(950, 1300, height + 130 * patch))
    colour = colour + (grass - colour) * green[..., None]
    wood = (1 - smooth(480, 700, height + 110 * patch)) * (1 - smooth(0.9, 1.2, steep))
    colour = colour + (woods - colour) * wood[..., None]
    cover = smooth(1150, 1650, height + 150 * patch + 35 * fine)
    cover *= 1 - smooth(0.85, 1.25, steep + 0.10 * strata + 0.06 * fine)
    colour = colour + (snow - colour) * cover[..., None]
    bump = 0.10 * (1 - 0.75 * cover)
    return colour, slope_x + bump * fine + 0.6 * bump * finer, slope_y + bump * strata


def spruces(random, light):
    """Pictures of far trees, as (shade, opacity) pairs."""
    shapes = []
    for _ in range(10):
        high, wide = 256, 110
        v, u = np.mgrid[0:high, 0:wide].astype(np.float32)
        v, u = v / high, (u - wide / 2) / (wide / 2)
        tiers = random.uniform(11, 15)
        ragged = ndimage.gaussian_filter(random.standard_normal((high, wide)), (2, 5)) * 4
        saw = (v * tiers + 0.25 * np.abs(u) + 0.2 * np.sign(u) + 0.25 * ragged) % 1
        reach = (0.05 + 0.75 * v**0.85) * (0.55 + 0.5 * saw) + 0.07 * ragged
        opaque = ((np.abs(u) < reach) & (v > 0.01) & (v < 0.97)) | ((np.abs(u) < 0.04) & (v > 0.9))
        shade = 0.55 + 0.45 * saw + 0.38 * u * np.sign(light[0]) + 0.16 * ragged
        shade = np.clip(shade * (0.65 + 0.5 * (1 - v)), 0.12, 1.6)
        shapes.append(np.dstack([shade, opaque]).astype(np.float32))
    return shapes


def near_spruce(random, high, sun):
    """One tall tree drawn twig by twig, as (shade, opacity)."""
    wide = high // 2
    shade, opaque = Image.new("L", (wide, high)), Image.new("L", (wide, high))
    paint, cut = ImageDraw.Draw(shade), ImageDraw.Draw(opaque)

    def stroke(x0, y0, x1, y1, tone, thick):
        paint.line((x0, y0, x1, y1), int(np.clip(tone, 0.02, 1) * 255), thick)
        cut.line((x0, y0, x1, y1), 255, thick)

    stroke(wide / 2, high * 0.02, wide / 2, high, 0.16, max(1, high // 110))
    twig = max(1, high // 420)
    for t in np.sort(random.uniform(0.01, 0.95, 420)):
        side = random.choice((-1.0, 1.0)) * random.uniform(0.15, 1)
        reach = wide * (0.02 + 0.40 * t**0.8) * random.uniform(0.65, 1.1)
        droop = reach * random.uniform(0.12, 0.45)
        toward = 0.30 + 0.22 * side * np.sign(sun[0])
        for u in np.linspace(0.05, 1, max(4, int(reach * abs(side) / (2.2 * twig)))):
            x, y = wide / 2 + side * reach * u, t * high + droop * u * u
            long = high * 0.022 * (1.15 - u) + high * 0.006
            for _ in range(2):
                lean = random.normal(0, 0.6) + side * 0.5
                tone = toward * (0.55 + 0.75 * u) * random.uniform(0.5, 1.5)
                stroke(x, y, x + lean * long, y + long * random.uniform(-0.1, 0.9), tone, twig)
    return np.dstack([np.asarray(shade) / 127.5, np.asarray(opaque) / 255.0]).astype(np.float32)


class Scene:
    """Draws the view at any size; the same seed gives the same picture."""

    def __init__(self, terrain, seed, mood):
        self.terrain, self.seed, self.mood = terrain, seed, mood
        self.sun = np.array(mood["sun"]) / np.linalg.norm(mood["sun"])
        self.lit = terrain.sunlit(self.sun)
        self.detail = tile(np.random.default_rng(seed + 1), 1024, 1.15)

    def render(self, width, height):
        """Linear light, (height, width, 3) floats, 0...1 and a little above."""
        self.width, self.rows = width, height
        self.focal, self.horizon = 0.90 * width, int(0.585 * height)
        picture = self.sky()
        waterline = self.land(picture)
        self.forest(picture)
        self.water(picture, waterline)
        self.bank(picture)
        return picture

    def sky(self):
        random = np.random.default_rng(self.seed + 2)
        rows, columns = np.mgrid[0:self.rows, 0:self.width].astype(np.float32)
        up = np.clip((self.horizon - rows) / self.focal, 0.004, None)
        across = (columns - self.width / 2) / self.focal
        blend = (1 - np.exp(-up * 3.6))[..., None]
        colour = np.array(self.mood["horizon"]) * (1 - blend) + np.array(self.mood["zenith"]) * blend
        colour = colour.astype(np.float32)
        clouds = tile(random, 2048, 1.75)
        far = 1 / (up + 0.09)  # a flat layer of cloud, bent down a little at the horizon
        x, y = across * far * 330 + 900, far * 420
        dense = at(clouds, x, y) + 0.16 * at(self.detail, x * 3, y * 3)
        toward = at(clouds, x + self.sun[0] * 26, y + self.sun[1] * 26)
        amount = smooth(self.mood["clouds"], self.mood["clouds"] + 1.5, dense) * smooth(0.0, 0.14, up)
        bright = np.clip(0.86 - 0.16 * (toward - dense) - 0.10 * smooth(1.4, 3, dense), 0.35, 1.05)[..., None]
        white = bright * (0.60 * np.array(self.mood["sunlight"]) + 0.55 * np.array(self.mood["skylight"]))
        return colour + (white.astype(np.float32) - colour) * (0.92 * amount)[..., None]

    def light(self, colour, slope_x, slope_y, lit):
        upright = 1 / np.sqrt(1 + slope_x**2 + slope_y**2)
        facing = (-slope_x * self.sun[0] - slope_y * self.sun[1] + self.sun[2]) * upright
        direct = (np.clip(facing, 0, 1) * lit)[..., None] * np.array(self.mood["sunlight"], np.float32)
        around = (0.5 + 0.5 * upright)[..., None] * np.array(self.mood["skylight"], np.float32)
        return colour * (1.25 * direct + 0.85 * around)

    def hazed(self, colour, distance, height):
        thick = 1 - np.exp(-distance / 24_000 * (0.55 + 0.75 * np.exp(-np.maximum(height, 0) / 900)))
        return colour + (np.array(self.mood["haze"], np.float32) - colour) * thick[..., None]

    def land(self, picture):
        depths = np.geomspace(60, WORLD - 10, 1500).astype(np.float32)
        across = (np.arange(self.width, dtype=np.float32) - self.width / 2) / self.focal
        self.depth = np.full((self.rows, self.width), np.inf, np.float32)
        waterline = np.full(self.width, float(self.horizon))
        angles = (self.horizon - np.arange(self.rows, dtype=np.float32)) / self.focal
        for start in range(0, self.width, 500):
            part = slice(start, min(start + 500, self.width))
            x, y = across[part][:, None] * depths, np.broadcast_to(depths, (across[part].size, depths.size))
            rise = (on_map(self.terrain.height, x, y) - EYE) / y
            seen = np.maximum.accumulate(rise, axis=1)
            for index, line in enumerate(seen):
                step = np.clip(np.searchsorted(line, angles), 1, depths.size - 1)
                low, high = line[step - 1], line[step]
                t = np.clip((angles - low) / np.maximum(high - low, 1e-9), 0, 1)
                depth = depths[step - 1] + t * (depths[step] - depths[step - 1])
                self.depth[:, start + index] = np.where(angles > line[-1], np.inf, depth)
        below = angles[:, None] < 0
        flat = EYE / np.maximum(-angles, 1e-6)[:, None]
        self.wet = below & (self.depth >= flat)
        for top in range(0, self.rows, 250):
            rows = slice(top, top + 250)
            dry = np.isfinite(self.depth[rows]) & ~self.wet[rows]
            if not dry.any():
                continue
            r, c = np.nonzero(dry)
            y = self.depth[rows][dry]
            x, z = across[c] * y, EYE + angles[rows][r] * y
            colour, slope_x, slope_y = ground_colour(self.terrain, self.detail, x, y, z)
            shaded = self.light(colour, slope_x, slope_y, on_map(self.lit, x, y))
            picture[rows][dry] = self.hazed(shaded, y, z)
        first = np.argmax(self.wet, axis=0)
        waterline[:] = ndimage.median_filter(first, 9)
        return waterline

    def forest(self, picture):
        random = np.random.default_rng(self.seed + 3)
        count = 150_000
        y = 1000 * np.exp(random.uniform(0, np.log(7.5), count))
        x = random.uniform(-0.60, 0.60, count) * y
        z, patch = on_map(self.terrain.height, x, y), on_map(self.terrain.patches, x, y)
        steep = np.hypot(on_map(self.terrain.slope_x, x, y), on_map(self.terrain.slope_y, x, y))
        stand = (z > 2) & (z + 110 * patch + 60 * random.standard_normal(count) < 600) & (steep < 1.0)
        stand &= (patch > -0.75) | (z > 60)
        lit = on_map(self.lit, x, y)
        facing = -on_map(self.terrain.slope_x, x, y) * self.sun[0] + self.sun[2]
        shapes = spruces(random, self.sun)
        sunlight, skylight = np.array(self.mood["sunlight"]), np.array(self.mood["skylight"])
        cache = {}
        for i in np.argsort(-y):
            if not stand[i]:
                continue
            tall = random.uniform(11, 24) * self.focal / y[i]
            column = int(self.width / 2 + x[i] / y[i] * self.focal)
            row = int(self.horizon - (z[i] - EYE) / y[i] * self.focal) + 1
            if tall < 1.5 or not (0 <= column < self.width and 0 <= row < self.rows):
                continue
            if self.depth[row, column] < y[i] * 0.97:  # behind a hill
                continue
            key = (int(random.integers(len(shapes))), max(2, int(tall)))
            green = np.array([0.062, 0.088, 0.040]) * random.uniform(0.75, 1.3)
            green = green + np.array([0.03, 0.012, 0]) * max(0, random.normal(0, 0.5))
            colour = green * (1.35 * sunlight * lit[i] * np.clip(0.35 + facing[i], 0.1, 1.2) + 0.75 * skylight)
            haze = 1 - np.exp(-y[i] / 24_000 * (0.55 + 0.75 * np.exp(-max(z[i], 0) / 900)))
            self.stamp(picture, cache, shapes, key, row, column, colour, haze)

    def stamp(self, picture, cache, shapes, key, row, column, colour, haze):
        """One tree with its foot at (row, column)."""
        if key not in cache:
            size = (max(1, int(key[1] * 0.43)), key[1])
            planes = [Image.fromarray(shapes[key[0]][..., p]).resize(size, Image.Resampling.BOX) for p in (0, 1)]
            cache[key] = [np.asarray(p)[..., None] for p in planes]
        shade, opaque = cache[key]
        top, left = row - shade.shape[0], column - shade.shape[1] // 2
        y0, x0 = max(0, -top), max(0, -left)
        y1, x1 = min(shade.shape[0], self.rows - top), min(shade.shape[1], self.width - left)
        if y1 <= y0 or x1 <= x0:
            return
        shade, opaque = shade[y0:y1, x0:x1], opaque[y0:y1, x0:x1]
        tone = shade * colour * (1 - haze) + np.array(self.mood["haze"]) * haze
        place = picture[top + y0:top + y1, left + x0:left + x1]
        place += (tone - place) * opaque

    def water(self, picture, waterline):
        r, c = np.nonzero(self.wet)
        down = (r - self.horizon + 0.5) / self.focal
        y = EYE / down
        x = (c - self.width / 2) / self.focal * y
        swell = at(self.detail, x * 1.1, y * 2.3) + 0.6 * at(self.detail, x * 3.7 + 50, y * 7.1) * smooth(500, 90, y)
        calm = 0.35 + 0.65 * smooth(-0.6, 1.2, at(self.detail, x * 0.05, y * 0.12))
        tilt = swell * calm * 0.0125 * self.focal
        tilt *= np.clip(0.25 + down * 5, 0, 1.3)
        mirrored = 2 * waterline[c] - r - np.abs(tilt) * 0.6 + tilt
        source = np.clip(mirrored, 0, waterline[c] - 1)
        above = source.astype(np.int32)
        part = (source - above).astype(np.float32)[:, None]
        image = picture[above, c] * (1 - part) + picture[np.minimum(above + 1, self.horizon + 200), c] * part
        fresnel = (0.04 + 0.92 * (1 - np.clip(down, 0, 1)) ** 5.2)[:, None]
        deep = np.array(self.mood["skylight"]) * np.array([0.10, 0.24, 0.26])
        sparkle = (0.05 * np.clip(swell, -1, 3) * calm)[:, None] * np.array(self.mood["skylight"])
        picture[r, c] = image * fresnel * 0.94 + deep * (1 - fresnel) + sparkle

    def bank(self, picture):
        """The near shore: grass in the corner and a few tall trees."""
        random = np.random.default_rng(self.seed + 4)
        scale = self.width / 4000
        columns = np.arange(self.width) / self.width
        wobble = at(self.detail, columns * 300, columns * 0 + 3) * 0.008
        edge = self.rows * (0.87 + 0.20 * smooth(0.10, 0.85, columns) - 0.05 * smooth(0.25, 0, columns) + wobble)
        rows = np.arange(self.rows)[:, None]
        mask = rows > edge
        r, c = np.nonzero(mask)
        depth = (r - edge[c]) / scale
        x, y = c / scale, r / scale
        tuft = at(self.detail, x * 0.35, y * 0.12) + 0.7 * at(self.detail, x * 0.9 + 9, y * 0.25)
        patch = at(self.detail, x * 0.04, y * 0.06)
        colour = np.array([0.090, 0.098, 0.034]) * (1 + 0.30 * tuft + 0.2 * patch)[:, None]
        stones = smooth(24, 4, depth + 7 * tuft)[:, None]
        colour = colour * (1 - stones) + np.array([0.20, 0.19, 0.17]) * (1 + 0.3 * tuft)[:, None] * stones
        sunlight, skylight = np.array(self.mood["sunlight"]), np.array(self.mood["skylight"])
        picture[r, c] = np.clip(colour, 0.004, 1) * (0.8 * sunlight + 0.5 * skylight)
        for _ in range(2600):  # blades of grass, as short strokes
            column = int(random.uniform(0, 0.8) * self.width)
            row = int(edge[column] + random.exponential(120) * scale)
            long = int(random.uniform(14, 46) * scale)
            if row >= self.rows or long < 2:
                continue
            lean, tone = random.normal(0, 0.3), random.uniform(0.5, 1.5)
            steps = np.arange(long)
            rr, cc = row - steps, (column + lean * steps**1.3 * 0.5).astype(int)
            keep = (rr >= 0) & (cc >= 0) & (cc + 1 < self.width)
            blade = np.array([0.15, 0.165, 0.05]) * tone * (sunlight * 0.8 + 0.4 * skylight)
            for offset in range(max(1, round(2 * scale))):
                picture[rr[keep], cc[keep] + offset] = blade
        for place, tall in ((0.135, 1240), (0.015, 1750), (0.072, 1420), (0.188, 600), (0.222, 400)):
            column = int(place * self.width)
            shape = [near_spruce(random, int(tall * scale), self.sun)]
            green = np.array([0.026, 0.036, 0.017]) * random.uniform(0.8, 1.2) * (sunlight + skylight)
            cache = {(0, 0): [shape[0][..., p][..., None] for p in (0, 1)]}
            self.stamp(picture, cache, shape, (0, 0), int(edge[column] + 60 * scale), column, green, 0.0)


def developed(picture, random, grain=1.0):
    """Linear light to 8-bit sRGB, as a camera would: lens shading, a film-like shoulder, grain."""
    height, width = picture.shape[:2]
    v, u = np.ogrid[-1:1:height * 1j, -1:1:width * 1j]
    picture = picture * (1 - 0.13 * (u * u + v * v) ** 1.2 / 2)[..., None]
    picture = np.clip(picture * 1.12, 0, None)
    picture = picture ** 1.22 * 1.10
    picture = picture / (1 + 0.28 * np.maximum(picture - 0.25, 0))
    srgb = np.where(picture <= 0.0031308, 12.92 * picture, 1.055 * np.maximum(picture, 1e-6) ** (1 / 2.4) - 0.055)
    bright = random.standard_normal((height, width)).astype(np.float32)[..., None]
    tint = random.standard_normal((height, width, 3)).astype(np.float32)
    srgb = srgb + grain * (1.5 * bright + 0.7 * tint) / 255 * (1.25 - 0.6 * np.clip(srgb, 0, 1))
    return (np.clip(srgb, 0, 1) * 255 + 0.5).astype(np.uint8)
