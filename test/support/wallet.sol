// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// A contract wallet that stands by what its owner has signed (ERC-1271). As the code of a plain account (EIP-7702) it
/// has no owner but the account's own key. Its signatures are r, s, v of the owner with one byte of the wallet's before
/// them, as wallets put their own around a key's; without that byte they are taken too.
contract Wallet {
    address public owner;
    /// Burns all gas that it is asked with, as a hostile wallet might.
    bool public isHostile;

    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
        while (isHostile) {}
        if (signature.length == 66) signature = signature[1:];
        if (signature.length != 65) return 0xffffffff;
        bytes32 r = bytes32(signature[:32]);
        bytes32 s = bytes32(signature[32:64]);
        address signer = ecrecover(digest, uint8(signature[64]), r, s);
        return signer == (owner == address(0) ? address(this) : owner) ? this.isValidSignature.selector : bytes4(0xffffffff);
    }
}
