import type { MarkdownRenderer } from 'vitepress'

/**
 * Makes links work that leave `docs/`, for example `../CONTRIBUTING.md`: they open the file in the repository. Without a known repository
 * their text is shown without a link.
 */
export function linkToRepository(markdown: MarkdownRenderer, repository: string | undefined): void {
  markdown.core.ruler.push('link-to-repository', ({ tokens }) => {
    for (const { children } of tokens) {
      for (const token of children ?? []) {
        const href = token.type === 'link_open' ? token.attrGet('href') : null
        if (!href?.startsWith('../')) continue
        if (repository) token.attrSet('href', `${repository}/blob/main/${href.slice('../'.length)}`)
        else token.attrs = null
      }
    }
  })
}
