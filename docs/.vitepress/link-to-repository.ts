import type { MarkdownRenderer } from 'vitepress'

/**
 * Makes links work that leave `docs/`, for example `../CONTRIBUTING.md`: they open the file in the repository. Without a known repository
 * their text is shown without a link. Links to `README.md` open the introduction.
 */
export function linkToRepository(markdown: MarkdownRenderer, repository: string | undefined): void {
  markdown.core.ruler.push('link-to-repository', ({ tokens }) => {
    for (const { children } of tokens) {
      for (const token of children ?? []) {
        const href = token.type === 'link_open' ? token.attrGet('href') : null
        // VitePress does not apply `rewrites` to links.
        if (href === 'README.md') token.attrSet('href', 'introduction.md')
        if (!href?.startsWith('../')) continue
        if (repository) token.attrSet('href', `${repository}/blob/main/${href.slice('../'.length)}`)
        else token.attrs = null
      }
    }
  })
}
