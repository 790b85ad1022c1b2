# Roost: the commands of the README. Each sets up a fresh Debian 12 (Swift toolchain and git given).
#
#   make build   roost and roost-load, into .build/release
#   make run     build, serve the sample flights, keep serving
#   make demo    the same story from start to end, then exit
#   make test    style, build with checked imports, every test

SHELL := /bin/bash
.DEFAULT_GOAL := help

SWIFT ?= swift
# What `make run` and `make demo` build; `make demo CONFIGURATION=debug` compiles faster.
CONFIGURATION ?= release
# Undeclared imports between rooms fail the build.
STRICT := --explicit-target-dependency-import-check error
BIN = $(shell $(SWIFT) build -c $(CONFIGURATION) --show-bin-path)

# Real data for tests that skip without it.
ENROUTE := $(wildcard ../shared/data/enroute)
ifneq ($(ENROUTE),)
export ROOST_ENROUTE_DATA ?= $(abspath $(ENROUTE))
endif

.PHONY: help setup build run demo test lint tsan clean

help:
	@sed -n 's/^#   //p' Makefile

setup:
	@.ci/setup

build: setup
	$(SWIFT) build -c $(CONFIGURATION) $(STRICT) --product roost
	$(SWIFT) build -c $(CONFIGURATION) $(STRICT) --product roost-load

run: build
	@.ci/serve-sample $(BIN)

demo: build
	@.ci/demo $(BIN)

lint:
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Tests LoadTests

test: setup lint
	$(SWIFT) build --build-tests $(STRICT)
	@.ci/test-suites

# Data races in the rooms that share memory between threads; takes some minutes.
tsan: setup
	@.ci/tsan

clean:
	rm -rf .build
