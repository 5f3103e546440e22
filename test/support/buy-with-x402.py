"""Buys at an address with the official Python client, as its documentation shows it.

    PRIVATE_KEY=0x... python buy-with-x402.py <url>

Prints status, PAYMENT-RESPONSE and body as JSON.
"""

import asyncio
import json
import os
import sys

from eth_account import Account
from x402 import x402Client
from x402.http.clients import x402HttpxClient
from x402.mechanisms.evm import EthAccountSigner
from x402.mechanisms.evm.exact.register import register_exact_evm_client


async def main(url: str) -> None:
    client = x402Client()
    register_exact_evm_client(client, EthAccountSigner(Account.from_key(os.environ["PRIVATE_KEY"])))
    async with x402HttpxClient(client, timeout=60) as http:
        response = await http.get(url)
        await response.aread()
        receipt = response.headers.get("payment-response")
        print(json.dumps({"status": response.status_code, "receipt": receipt, "text": response.text}))


asyncio.run(main(sys.argv[1]))
