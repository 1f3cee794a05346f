# The front door. `make` alone says what there is.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help run test test-one-thread test-traits lint format docs samples screenshots tsan soak fuzz bench bench-peers packages clean

# The build refuses an import that Package.swift does not declare.
STRICT := --explicit-target-dependency-import-check error

# What `make run` loads: URLs and paths. Empty: the sample pictures, from an nginx of our own.
SOURCES ?=
export SOURCES

help: ## Say what there is
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-15s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

run: ## Load the sample pictures twice, or SOURCES="https://… path …", and draw a contact sheet
	@Scripts/install-packages build gtk run
	swift build -c release --product webimage $(STRICT)
	@Scripts/run

test: ## Build and pass every test
	@Scripts/install-packages build gtk run test
	swift build --build-tests $(STRICT)
	swift test --skip-build --disable-xctest $(STRICT)

test-one-thread: ## Pass every test on one processor, where Swift's cooperative pool has one thread (Linux)
	@Scripts/install-packages build gtk run test
	swift build --build-tests $(STRICT)
	# The coders by themselves: on one thread they would keep the tests of connections waiting for minutes.
	taskset --cpu-list 0 swift test --skip-build --disable-xctest $(STRICT) --skip ImageCodingTests
	taskset --cpu-list 0 swift test --skip-build --disable-xctest $(STRICT) --filter ImageCodingTests

test-traits: ## Build what is behind the package's traits and pass its tests
	@Scripts/install-packages build gtk run test
	@Scripts/test-traits $(STRICT)

lint: ## Check what can be said about the sources without running them
	@Scripts/install-packages build gtk lint
	@Scripts/lint

format: ## Lay the sources out as .swift-format says
	swift format --in-place --parallel --recursive Package.swift $(wildcard Sources Tests Examples Benchmarks/Package.swift Benchmarks/Sources Benchmarks/Benchmarks)

docs: ## Build the documentation into docs-output
	@Scripts/install-packages build gtk
	@Scripts/docs

samples: ## Draw the sample pictures anew
	@Scripts/install-packages samples
	python3 Samples/make-samples.py

screenshots: ## Photograph the viewer on a virtual screen
	@Scripts/install-packages build gtk test samples
	swift build -c release --product webimage $(STRICT)
	@Scripts/screenshots

tsan: ## Run the tests under the thread sanitizer
	@Scripts/install-packages build gtk run test
	@Scripts/tsan

soak: ## Try the disk cache for minutes: killed processes, a limit, a million entries, a full file system
	@Scripts/install-packages build gtk run test
	@Scripts/soak

TIME ?= 60
fuzz: ## Feed the decoders with mutated pictures, TIME seconds for each format
	@Scripts/install-packages build gtk
	@Scripts/fuzz $(TIME)

bench: ## Measure, next to a bare C control
	@Scripts/install-packages build gtk run bench
	@Scripts/bench
	@Scripts/bench-network
	@Scripts/bench-scroll

bench-peers: ## Measure thumbnails beside libvips and Pillow, which it installs
	@Scripts/install-packages build gtk run bench peers
	@Scripts/bench-peers

packages: ## Install the system packages that are missing (Scripts/apt-packages.txt)
	@Scripts/install-packages build gtk run test lint

clean: ## Remove everything that was built
	rm -rf .build .build-docs .build-traits .build-tsan docs-output run-output Benchmarks/.build Fuzz/.build
