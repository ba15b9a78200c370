"""The record of the survey as Markdown."""


def short(known):
    return ", ".join(f"{engine} {run['result']} {run['detail']}" for engine, run in known["runs"].items()) or known["lacks"]


def right(tables, engine, driver=None):
    return sum(known["runs"].get(engine, {}).get("result") == "right" for _, results, _ in tables for known in results
               if driver is None or known["driver"] == driver)


def enough(tables, wanted, wanted_driver):
    return all(right(tables, engine) >= number for engine, number in wanted.items()) and \
        right(tables, "emulator", driver=True) >= wanted_driver


def result(run):
    if not run:
        return "-"
    if run["result"] == "right":
        return f"right ({run['detail']})"
    if run["result"] == "no check":
        return "runs to its end; no check" + (f": {run['detail']}" if run["detail"] else "")
    return f"{run['result']}: {run['detail']}"


def row(known):
    emulator, model = known["runs"].get("emulator"), known["runs"].get("model")
    name = known["name"] + (" (driver API)" if known["driver"] else "")
    if known["not_built"]:
        reason = known["lacks"] or known["not_built"]
        return f"| {name} | not built | - | - | - | {reason} |"
    inputs = (emulator or {}).get("input", "")
    if model and model["input"] != inputs:
        inputs += f"; model: {model['input']}"
    ended = model and model["result"] in ("right", "no check") and model["launches"]
    launches = f"{model['launches']} / {model['cycles']:,}" if ended else "-"
    remark = "" if emulator and emulator["result"] == "right" else known["lacks"]
    return f"| {name} | {result(emulator)} | {result(model)} | {launches} | {inputs.replace('|', '/')} | {remark} |"


def page(tables, commit, wanted, wanted_driver):
    lines = ["# CUDA programs of public suites, unchanged", "",
             "`scripts/validate cuda_survey` builds every program without graphics of the suites below with `gt200 nvcc` and runs it,",
             "on the emulator and, if it works there, wholly on the model (`gt200`), at a smaller input where one is named. Sources and",
             "Makefiles are untouched; make is told the folders of the toolkit and of the SDK, and options that a Makefile provides",
             "for (`OUTPUT=1`, `VERIFY=1`). Nothing of the suites is part of this repository. Inputs that a suite leaves out are made by",
             "`testbenches/validation/cuda_survey/inputs.py`.", "",
             "\"own check\": the program ends with code 0, says that it passed, and nowhere that something failed. \"program for the CPU\": ",
             "the suite's own program for the CPU, run on the same input, gives the same numbers. \"reference\": a calculation of",
             "`references.py`. \"no check\": it prints nothing that could be checked. \"no time\": it did not end within the seconds that are",
             "named, which depends on the host and on what else the host does.", ""]
    commits = sorted({known["commit"] for _, results, _ in tables for known in results})
    lines.append(f"At {commit}." if commits == [commit] else f"Programs were run at {', '.join(commits)}.")
    lines += ["", "| suite | version | programs | right on the emulator | right on the model |", "|---|---|---|---|---|"]
    for suite, results, graphics in tables:
        lines.append(f"| {suite.title} | {suite.version()} | {len(results)} | {right([(suite, results, graphics)], 'emulator')} | "
                     f"{right([(suite, results, graphics)], 'model')} |")
    for suite, results, graphics in tables:
        lines += ["", f"## {suite.title}", "",
                  "| program | emulator | model | launches / core cycles on the model | input | remark |", "|---|---|---|---|---|---|"]
        lines += [row(known) for known in results]
        if graphics:
            lines += ["", f"Left out, because they draw: {', '.join(graphics)}."]
    sums = {engine: right(tables, engine) for engine in wanted}
    idle = sum("no launch" in known["runs"].get("emulator", {}).get("detail", "") for _, results, _ in tables for known in results)
    driver = right(tables, "emulator", driver=True)
    good = enough(tables, wanted, wanted_driver)
    lines += ["", f"Verdict: {sums['emulator']} programs are right on the emulator ({wanted['emulator']} are wanted), {sums['model']} "
                  f"wholly on the model ({wanted['model']}), {driver} of them call the driver API ({wanted_driver}); {idle} launch nothing"
                  f"{'' if good else ': NOT ENOUGH'}."]
    return "\n".join(lines)
