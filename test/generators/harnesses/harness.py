"""Reads each recorded reply into the generated type and writes it again: `harness.py <package> <manifest> <out>`."""
import importlib
import json
import pathlib
import sys

package, manifest, out = sys.argv[1:]
models = importlib.import_module(f"{package}.models")
for line in pathlib.Path(manifest).read_text().splitlines():
    file, name, kind = line.split("\t")
    value = json.loads(pathlib.Path(file).read_text())
    model = getattr(models, name, None)
    if kind != "any" and model is None:
        # openapi-python-client has no class for a union: what the operation parses is each of its parts.
        parts = {"Lead": ("lead_type", {"sheriff_sale_auction": "SheriffSaleLead", "tax_delinquent_owner": "TaxDelinquentLead",
                                        "motivated_listing": "MotivatedListingLead"})}
        member, by_kind = parts[name]
        again = [getattr(models, by_kind[each[member]]).from_dict(each).to_dict() for each in value]
    elif kind == "list":
        again = [model.from_dict(each).to_dict() for each in value]
    else:
        again = value if kind == "any" else model.from_dict(value).to_dict()
    text = json.dumps(again, default=lambda each: each.isoformat() if hasattr(each, "isoformat") else str(each))
    pathlib.Path(out, pathlib.Path(file).name).write_text(text)
