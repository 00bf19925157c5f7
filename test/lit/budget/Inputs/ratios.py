"""The ratio of each GEMM sample against 2*BM*BN*BK / ((BM*BK + BK*BN) * bytes): ratios.py TOOL SAMPLES"""
import json
import subprocess
import sys

#          sample                    BM   BN   BK  bytes
SAMPLES = {"hgemm_wmma.cu":          (128, 128, 32, 2),
           "hgemm_wmma_dynamic.cu":  (128, 128, 32, 2),
           "igemm_wmma.cu":          (128, 128, 64, 1),
           "sgemm_register_tile.cu": (128, 128, 8, 4),
           "sgemm_tiled.cu":         (32, 32, 32, 4)}

tool, samples = sys.argv[1:]
failed = False
for name, (bm, bn, bk, size) in SAMPLES.items():
    closed = 2 * bm * bn * bk / ((bm * bk + bk * bn) * size)
    run = subprocess.run([tool, "--cuda-path=none", "--arch=sm_86", "--dry-run", "--json", f"{samples}/{name}"],
                         capture_output=True, text=True, check=True)
    for loop in json.loads(run.stdout)["files"][0]["loops"]:
        if loop["status"] != "eligible":
            continue
        right = loop["ratio"] is not None and abs(loop["ratio"] - closed) < 1e-9 * closed
        shown = f"{loop['ratio']:g}" if loop["ratio"] is not None else "unknown"
        print(f"{name}: {shown} = {closed:g}{'' if right else ' WRONG'}: {loop.get('ratio_derivation', '')}")
        failed |= not right
sys.exit(1 if failed else 0)
