import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { SCREENSHOTS, TUTORIAL } from '../../scripts/screenshots/screenshots.js'
import { PAGES, ROOT } from './support/pages.js'

/** The images of the docs, without the paths that pages need to refer to them. */
const IMAGES = readdirSync(path.join(ROOT, 'docs/images')).sort()

const PAGES_WITH_IMAGES = [...PAGES.map(({ name }) => name), 'examples/issue-tracker/README.md']

describe('docs/images', () => {
  it('contains only screenshots that `npm run screenshots` takes, and drawings', () => {
    const files = Object.values(SCREENSHOTS).flatMap((screenshots) => screenshots.map(({ file }) => file))
    expect(IMAGES.filter((name) => !name.endsWith('.svg'))).toEqual([...files, TUTORIAL.file].sort())
  })

  it('contains exactly the images that pages show', () => {
    const referenced = PAGES_WITH_IMAGES.flatMap((name) => {
      const text = readFileSync(path.join(ROOT, name), 'utf8')
      return [...text.matchAll(/!\[[^\]]+\]\((?:[./]*docs\/)?images\/([^)]+)\)/g)].map(([, file]) => file)
    })
    expect([...new Set(referenced)].sort()).toEqual(IMAGES)
  })
})
