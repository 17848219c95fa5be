import type { Browser } from 'playwright-core'

/** The largest difference of a color channel that is not visible. The browser rounds the edges of dashed lines differently in each run. */
const MAX_DIFFERENCE = 2

/** Whether two PNG images have the same size and no visible difference. The browser decodes them. */
export async function isSameImage(browser: Browser, left: Uint8Array, right: Uint8Array): Promise<boolean> {
  const page = await browser.newPage()
  try {
    const sources = [left, right].map((png) => `data:image/png;base64,${Buffer.from(png).toString('base64')}`)
    const difference = await page.evaluate(async (urls) => {
      const [before, after] = await Promise.all(
        urls.map(async (src) => {
          const image = Object.assign(new Image(), { src })
          await image.decode()
          const context = new OffscreenCanvas(image.width, image.height).getContext('2d')
          context?.drawImage(image, 0, 0)
          return context?.getImageData(0, 0, image.width, image.height)
        }),
      )
      if (before?.width !== after?.width || before?.height !== after?.height) return Infinity
      let largest = 0
      before?.data.forEach((value, at) => {
        largest = Math.max(largest, Math.abs(value - (after?.data[at] ?? 0)))
      })
      return largest
    }, sources)
    return difference <= MAX_DIFFERENCE
  } finally {
    await page.close()
  }
}
