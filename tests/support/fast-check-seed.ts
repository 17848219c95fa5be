import fc from 'fast-check'

// One seed, so that a run says something about the change and not about its luck. FAST_CHECK_SEED looks elsewhere.
fc.configureGlobal({ seed: Number(process.env['FAST_CHECK_SEED'] ?? 20_261_121) })
