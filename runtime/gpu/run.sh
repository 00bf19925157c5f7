#!/bin/sh
# Builds and runs this bundle: proves each version of the kernels against the original, and times them where the
# bundle was made for that. Needs nvcc and a GPU. Writes results.json.
#
#   sh run.sh [--fresh] [build | verify | time | all] [VERSION...]
#
# Rows are written as they are measured: a run that was killed goes on where it stopped, on the same card and with
# the same compiler. --fresh measures all again. Environment: NVCC, SANITIZER (or "none"), JOBS.
#
# Exit code: 0 every version is proved, 4 one is not, 5 something could not be run, 2 wrong usage.
set -u
cd "$(dirname "$0")" || exit 5
. ./settings.sh

NVCC=${NVCC:-nvcc}
export NVCC
SANITIZER=${SANITIZER:-compute-sanitizer}
JOBS=${JOBS:-$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)}
fresh=no
[ "${1:-}" = --fresh ] && { fresh=yes; shift; }
step=${1:-all}
[ $# -gt 0 ] && shift
chosen=${*:-$VERSIONS}
mkdir -p build || exit 5

say() { printf '%s\n' "$*" >&2; }

# The text of a file as the inside of a JSON string.
json_text() {
  head -c "${2:-3000}" "$1" | tr '\t' ' ' | tr -d '\000-\010\013-\037\177-\377' |
    sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' | awk '{ printf "%s%s", (NR > 1 ? "\\n" : ""), $0 }'
}

have() { [ -f "$rows" ] && grep -q "^{\"id\":\"$1\"" "$rows"; }

limited() {
  seconds=$1
  shift
  if command -v timeout >/dev/null 2>&1; then timeout -k 5 "$seconds" "$@"; else "$@"; fi
}

# The card and the compiler: what was measured with another of them is measured again.
find_machine() {
  nvcc_says=$("$NVCC" --version 2>/dev/null | sed -n 's/.*release \([0-9.]*\), \(V[0-9.]*\).*/\2/p')
  gpu_says=$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null | head -n 1)
  key=$(printf '%s' "$nvcc_says|$gpu_says" | cksum | cut -d ' ' -f 1)
  rows=build/rows.$key.jsonl
  [ "$fresh" = yes ] && rm -f "$rows" build/*.ok
  touch "$rows"
  # A row that was cut off when a run was killed.
  grep '}$' "$rows" > build/whole; mv build/whole "$rows"
}

finish() {
  { printf '{"schema":1,"rows":[\n'; sed '$!s/$/,/' "$rows"; printf ']}\n'; } > build/results.json &&
    mv build/results.json results.json
  exit "$1"
}

# compile NAME LOG OUTPUT ARGUMENTS...
compile() {
  name=$1 log=$2 output=$3
  shift 3
  [ -f "build/$name.ok" ] && [ -f "$output" ] && return 0
  if limited 900 "$@" -o "$output" > "$log" 2>&1; then
    : > "build/$name.ok"
  else
    return 1
  fi
}

# What does not know the kernel's address (an overloaded one) loses the figures of its resources, no more.
compile_version() {
  name=$1
  if [ "$KIND" = launch ]; then
    compile "$name" "build/$name.log" "build/$name.so" sh nvcc.sh --resource-usage \
      -shared -Xcompiler -fPIC,-fvisibility=hidden -I harness "drivers/$name.cu" && return
    grep -q overload "build/$name.log" && compile "$name" "build/$name.log" "build/$name.so" sh nvcc.sh -shared \
      -DPR_NO_ADDRESS -Xcompiler -fPIC,-fvisibility=hidden -I harness "drivers/$name.cu" && return
  else
    wrap=
    for call in cudaMalloc cudaFree cudaLaunchKernel __cudaLaunchKernel cudaLaunchCooperativeKernel cudaLaunchKernelExC; do
      wrap="$wrap -Xlinker --wrap=$call"
    done
    # shellcheck disable=SC2086
    compile "$name" "build/$name.log" "build/$name.exe" sh nvcc.sh --resource-usage $wrap "$(source_of "$name")" \
      build/shim.o && return
  fi
  say "$name does not compile: see build/$name.log"
  return 1
}

# What the compiler reports of the kernels: the most registers, and all spills.
built_row() {
  have "built:$1" && return
  awk -v name="$1" '
    { for (i = 1; i < NF; ++i) {
        if ($i == "Used" && $(i + 2) ~ /^registers/ && $(i + 1) > registers) registers = $(i + 1)
        if ($(i + 1) == "bytes" && $(i + 2) == "spill") spills += $i } }
    END { printf "{\"id\":\"built:%s\",\"event\":\"built\",\"version\":\"%s\",\"registers\":%d,\"spill_bytes\":%d}\n",
          name, name, registers, spills }' "build/$1.log" >> "$rows"
}

build() {
  if ! command -v "$NVCC" >/dev/null 2>&1; then
    say "run.sh: cannot find nvcc ('$NVCC'); set NVCC or PATH"
    have toolchain || printf '{"id":"toolchain","event":"toolchain","problem":"nvcc was not found"}\n' >> "$rows"
    finish 5
  fi
  grep -v '^{"id":"toolchain"' "$rows" > build/whole; mv build/whole "$rows"
  if ! compile runner build/runner.log build/runner "$NVCC" -std=c++17 -O2 -Wno-deprecated-gpu-targets \
      harness/runner.cpp harness/data.cpp harness/verify.cpp harness/time.cpp harness/traces.cpp harness/disturb.cu; then
    say "run.sh: the runner does not compile: see build/runner.log"
    printf '{"id":"toolchain","event":"toolchain","problem":"the runner does not compile: %s"}\n' \
      "$(json_text build/runner.log 300)" >> "$rows"
    finish 5
  fi
  if [ "$KIND" = program ]; then
    compile shim build/shim.log build/shim.o "$NVCC" -std=c++17 -O2 -c harness/shim.cpp || finish 5
  fi
  running=0
  for version in original $chosen; do
    ( compile_version "$version" ) &
    running=$((running + 1))
    if [ "$running" -ge "$JOBS" ]; then wait; running=0; fi
  done
  wait
  for version in original $chosen; do
    if [ -f "build/$version.ok" ]; then built_row "$version"; continue; fi
    have "compile:$version" && continue
    grep -E 'error|undefined' "build/$version.log" | head -n 3 > build/first.log
    [ -s build/first.log ] || tail -n 3 "build/$version.log" > build/first.log
    printf '{"id":"compile:%s","event":"compile","version":"%s","problem":"%s"}\n' "$version" "$version" \
      "$(json_text build/first.log)" >> "$rows"
  done
}

device() {
  rm -f build/device.row
  build/runner device --rows build/device.row --nvcc "$nvcc_says" --driver "${gpu_says##*, }" --date "$(date +%Y-%m-%d)"
  code=$?
  { cat build/device.row; grep -v '^{"id":"device"' "$rows"; } > build/whole; mv build/whole "$rows"
  [ "$code" = 0 ] || finish 5
}

# unable_row VERSION CHECK MESSAGE-FILE: the runner itself ended in a way that it could not write down.
unable_row() {
  printf '{"id":"verify:%s","event":"verify","version":"%s","status":"could-not-run","runs":0,"comparisons":0,' "$1" "$1" >> "$rows"
  printf '"failures":[{"check":"%s","message":"%s","where":""}]}\n' "$2" "$(json_text "$3" 500)" >> "$rows"
}

sanitize() {
  have "sanitize:$1:$2" && return
  log=build/$1.$2.log
  [ "$SANITIZER" != none ] && command -v "$SANITIZER" >/dev/null 2>&1 || return
  limited "$TIMEOUT" "$SANITIZER" --tool "$2" --error-exitcode 9 build/runner once --version "build/$1.so" > "$log" 2>&1
  code=$?
  case $code in
    0) status=clean ;;
    9) status=errors ;;
    124 | 137) status=timeout ;;
    *) status=could-not-run ;;
  esac
  # The original's own errors are not the rewrite's.
  # In a shell of its own: there are no local variables.
  if [ "$status" = errors ] && [ "$1" != original ]; then (sanitize original "$2"); fi
  printf '{"id":"sanitize:%s:%s","event":"sanitize","version":"%s","tool":"%s","status":"%s","message":"%s"}\n' \
    "$1" "$2" "$1" "$2" "$status" "$(grep '=====' "$log" | sed 's/^=* *//' | grep -v '^COMPUTE-SANITIZER' |
      head -n 2 > build/first.log; json_text build/first.log 400)" >> "$rows"
}

verify_launch() {
  if ! have "verify:$1"; then
    limited $((TIMEOUT + 30)) build/runner verify --original build/original.so --version "build/$1.so" --name "$1" \
      --rows "$rows" --seed "$SEED" --timeout "$TIMEOUT" $TOLERANCE > build/run.log 2>&1
    code=$?
    if ! have "verify:$1"; then
      [ -s build/run.log ] || echo "the runner ended with exit code $code" > build/run.log
      [ "$code" = 124 ] && echo "the proof took longer than $TIMEOUT s (--timeout)" > build/run.log
      unable_row "$1" did-not-finish build/run.log
    fi
  fi
  grep -q "^{\"id\":\"verify:$1\".*\"status\":\"proved\"" "$rows" || return
  for tool in memcheck racecheck synccheck; do sanitize "$1" "$tool"; done
}

run_program() { # VERSION NUMBER
  # In a folder of its own: two versions may write the same files.
  mkdir -p "build/$1.work"
  here=$PWD
  ( cd "build/$1.work" && PR_TRACE="$here/build/$1.$2.trace" limited "$TIMEOUT" "$here/build/$1.exe" \
      > "$here/build/$1.$2.out" 2> "$here/build/$1.$2.err"; echo $? > "$here/build/$1.$2.exit" )
}

verify_program() {
  have "verify:$1" && return
  for version in original "$1"; do
    for number in 1 2; do
      [ "$version" = original ] && [ -f "build/original.$number.exit" ] && [ "$fresh" = no ] && continue
      run_program "$version" "$number"
      if [ "$(cat "build/$version.$number.exit")" = 124 ]; then
        echo "the program '$version' took longer than $TIMEOUT s (--timeout)" > build/run.log
        unable_row "$1" timeout build/run.log
        rm -f "build/$version.$number.exit"
        return
      fi
    done
  done
  build/runner traces --name "$1" --rows "$rows" --original build/original --version "build/$1"
}

verify() {
  device
  for version in $chosen; do
    [ -f "build/$version.ok" ] && [ -f build/original.ok ] || continue
    verify_"$KIND" "$version"
  done
}

proved() {
  grep -q "^{\"id\":\"verify:$1\".*\"status\":\"proved\"" "$rows" &&
    ! grep -q "^{\"id\":\"sanitize:$1:.*\"status\":\"errors\"" "$rows"
}

time_all() {
  device
  candidates=
  pairs="original=build/original.so"
  for version in $chosen; do
    proved "$version" || { say "$version is not timed: it is not proved"; continue; }
    candidates="$candidates $version"
    pairs="$pairs $version=build/$version.so"
  done
  [ -n "$candidates" ] || return
  if [ "$KIND" = launch ]; then
    number=0
    while [ "$number" -lt "$BENCH_CASES" ]; do
      # All versions of one size are timed together, or none.
      if ! grep -q "^{\"id\":\"time:$number:" "$rows"; then
        # shellcheck disable=SC2086
        build/runner time --rows "$rows" --case "$number" --timeout "$TIMEOUT" $pairs || say "case $number could not be timed"
      fi
      number=$((number + 1))
    done
  elif ! grep -q '^{"id":"time:' "$rows"; then
    for round in 1 2 3 4 5; do
      for version in original $candidates; do
        ( cd "build/$version.work" && PR_TIMES="../$version.$round.times" limited "$TIMEOUT" "../$version.exe" > /dev/null 2>&1 )
      done
    done
    # shellcheck disable=SC2086
    build/runner trace-times --rows "$rows" --prefix build/ --rounds 5 original $candidates
  fi
}

# Two runs in one folder would lose each other's rows and time beside each other: the second waits. The system lets go of
# the lock when the last process of a run ends, those included that a killed run left behind.
exec 9> build/lock
if command -v flock >/dev/null 2>&1 && ! flock -n 9; then
  say "run.sh: another run is at work in this folder; waiting for it"
  flock 9
fi

find_machine
case $step in
  build) build ;;
  verify) build; verify ;;
  time) build; verify; time_all ;;
  all) build; verify; [ "$MODE" = verify ] || time_all ;;
  *) say "usage: run.sh [--fresh] [build | verify | time | all] [VERSION...]"; exit 2 ;;
esac

code=0
for version in original $chosen; do
  [ -f "build/$version.ok" ] || { code=5; [ "$version" = original ] || code=4; }
done
[ "$step" = build ] && finish $code
for version in $chosen; do
  proved "$version" && continue
  if grep -q "^{\"id\":\"verify:$version\".*\"status\":\"could-not-run\"" "$rows"; then
    [ "$code" = 4 ] || code=5
  else
    code=4
  fi
done
finish $code
