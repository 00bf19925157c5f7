#!/bin/sh
# In place of nvcc: the "cubin" is the source. Shell alone, so that PATH can be empty.
for argument; do
  if [ "$previous" = -o ]; then output=$argument; fi
  previous=$argument
  source=$argument
done
while IFS= read -r line; do printf '%s\n' "$line"; done < "$source" > "$output"
