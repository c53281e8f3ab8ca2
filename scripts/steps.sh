# Steps of a test run: each has a log, a time and a count of passed and failed
# tests. Sourced, with the repository's root as the working directory.

LOGS=build/test-logs
PASSED=0
FAILED=0
FAILED_STEPS=()

# count_tests <log>: "<passed> <failed>" summed over what ctest, node:test,
# unittest and GoogleTest say about themselves; "0 0" when none of them spoke.
count_tests() {
  awk '
    /tests passed, [0-9]+ tests? failed out of [0-9]+/ { n = split($0, f, " ")
      bad = 0; all = 0
      for (i = 1; i <= n; i++) { if (f[i] ~ /^failed$/) bad = f[i-2]; if (f[i] == "of") all = f[i+1] }
      passed += all - bad; failed += bad }
    /^(#|ℹ) pass [0-9]+/ { passed += $3 }
    /^(#|ℹ) (fail|cancelled) [0-9]+/ { failed += $3 }
    /^Ran [0-9]+ tests? in/ { ran = $2 }
    /^OK( |$)/ { passed += ran; ran = 0 }
    /^FAILED \(/ { bad = 0; line = $0
      while (match(line, /(failures|errors)=[0-9]+/)) {
        split(substr(line, RSTART, RLENGTH), pair, "="); bad += pair[2]; line = substr(line, RSTART + RLENGTH) }
      passed += ran > bad ? ran - bad : 0; failed += bad; ran = 0 }
    END { print passed + 0, failed + 0 }' "$1"
}

# Says what a long step is doing, for those who watch.
watch_log() {
  local log=$1 waited=0
  while sleep 15 >/dev/null 2>&1; do  # or it would hold the pipe of a caller for as long
    waited=$((waited + 15))
    printf '    %4d s  %s\n' "$waited" "$(tail -n 1 "$log" | tr -d '\r' | cut -c 1-100)"
  done
}

# step <name> <command>...: runs the command; a failure is shown and counted,
# and the run goes on.
step() {
  local name=$1 log passed failed status=0 watcher begun=$SECONDS
  shift
  log=$LOGS/${name//[^a-z0-9]/_}.log
  mkdir -p "$LOGS"
  : >"$log"
  printf '\033[1m▶ %s\033[0m\n' "$name"
  watch_log "$log" &
  watcher=$!
  "$@" >"$log" 2>&1 </dev/null || status=$?
  { kill "$watcher" && wait "$watcher"; } 2>/dev/null || true
  read -r passed failed < <(count_tests "$log")
  if ((status != 0 && failed == 0)); then failed=1; fi
  if ((status == 0 && passed + failed == 0)); then passed=1; fi
  PASSED=$((PASSED + passed))
  FAILED=$((FAILED + failed))
  if ((status != 0)); then
    FAILED_STEPS+=("$name")
    tail -n 60 "$log" | sed 's/^/    /'
    printf '\033[31m✗ %s failed\033[0m (%d s, %d passed, %d failed); all of it: %s\n' \
      "$name" $((SECONDS - begun)) "$passed" "$failed" "$log"
    return 0
  fi
  printf '\033[32m✓ %s\033[0m (%d s, %d passed)\n' "$name" $((SECONDS - begun)) "$passed"
}

# The closing line, and the exit status that goes with it.
finish() {
  echo
  if ((${#FAILED_STEPS[@]} > 0)); then
    printf 'Failed: %s. Logs are in %s.\n' "$(IFS=,; echo "${FAILED_STEPS[*]}")" "$LOGS"
  fi
  printf '%d passed, %d failed\n' "$PASSED" "$FAILED"
  ((${#FAILED_STEPS[@]} == 0))
}
