import fc from 'fast-check'

// A fixed seed makes runs reproducible. FAST_CHECK_SEED sets another one.
fc.configureGlobal({ seed: Number(process.env['FAST_CHECK_SEED'] ?? 20_261_121) })
