// Crossmark says that it is there by a mark on the page; GemWallet by an answer.
window.xrpl = { ...window.xrpl, isCrossmark: true };
