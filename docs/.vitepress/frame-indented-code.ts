import type { MarkdownRenderer } from 'vitepress'

/** Renders indented code like fenced code. Otherwise, long lines would make the page wider than the screen. */
export function frameIndentedCode({ renderer }: MarkdownRenderer): void {
  renderer.rules.code_block = (tokens, index, options, env, self) => {
    const token = tokens[index]
    if (token) token.info = 'txt'
    return renderer.rules.fence?.(tokens, index, options, env, self) ?? ''
  }
}
