import { describe, expect, it } from 'vitest'

import { suggest } from '../../generator/errors.js'
import { IMPORT_EXTENSIONS, OPTION_NAMES } from '../../generator/options.js'

describe('suggest', () => {
  it.each([
    ['policies', 'policy', OPTION_NAMES],
    ['Policy', 'policy', OPTION_NAMES],
    ['polices', 'policy', OPTION_NAMES],
    ['adapter', 'adapters', OPTION_NAMES],
    ['style', 'styles', OPTION_NAMES],
    ['file', 'files', OPTION_NAMES],
    ['rset', 'rest', OPTION_NAMES],
    ['clientimports', 'clientImport', OPTION_NAMES],
    ['importExtension', undefined, OPTION_NAMES],
    ['provider', undefined, OPTION_NAMES],
    ['api', undefined, OPTION_NAMES],
    ['ssr', undefined, OPTION_NAMES],
    ['s', undefined, OPTION_NAMES],
    ['', undefined, OPTION_NAMES],
    ['jsx', 'js', IMPORT_EXTENSIONS],
    ['tsx', 'ts', IMPORT_EXTENSIONS],
    ['vue', undefined, IMPORT_EXTENSIONS],
  ])('%s: suggests %s', (word, expected, candidates) => {
    const similar = /Did you mean "(.*?)"\?/.exec(suggest(word, candidates))?.[1]
    expect(similar).toBe(expected)
  })
})
