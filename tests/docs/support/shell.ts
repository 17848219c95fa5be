/** The request of a `curl` command. */
export interface CurlRequest {
  readonly url: string
  readonly init: RequestInit
}

/** Returns the commands of a shell block, without comments. Joins lines that end with a backslash, and splits at `&&`. */
export function commandsOf(text: string): string[][] {
  const commands: string[][] = [[]]
  for (const word of wordsOf(text)) {
    if (word === '\n' || word === '&&') commands.push([])
    else commands.at(-1)?.push(word)
  }
  return commands.filter((words) => words.length > 0)
}

/**
 * Parses the words of a `curl` command.
 * @throws Error if a page uses an option that is not supported here
 */
export function curlRequest(words: readonly string[]): CurlRequest {
  const headers = new Headers()
  const data: string[] = []
  let url: string | undefined
  let method: string | undefined
  let inQuery = false
  for (let at = 1; at < words.length; at++) {
    const word = words[at] ?? ''
    const argument = () => words[++at] ?? ''
    if (word === '-X') method = argument()
    else if (word === '-H') setHeader(headers, argument())
    else if (word === '-d') data.push(argument())
    else if (word === '--data-urlencode') data.push(encoded(argument()))
    else if (word === '-G') inQuery = true
    else if (word.startsWith('-') && !['-g', '-s', '-i'].includes(word))
      throw new Error(`curl ${word} is not known here.`)
    else if (!word.startsWith('-')) url = word
  }
  if (url === undefined) throw new Error(`There is no URL in: ${words.join(' ')}`)
  if (/\s/.test(url)) throw new Error(`curl takes no URL with a space in it: ${url}`)
  const body = data.join('&')
  if (inQuery || data.length === 0) {
    return {
      url: body === '' ? url : `${url}${url.includes('?') ? '&' : '?'}${body}`,
      init: { method: method ?? 'GET', headers },
    }
  }
  // The default of curl, which the API rejects.
  if (!headers.has('Content-Type')) headers.set('Content-Type', 'application/x-www-form-urlencoded')
  return { url, init: { method: method ?? 'POST', headers, body } }
}

function setHeader(headers: Headers, text: string): void {
  const colon = text.indexOf(':')
  headers.set(text.slice(0, colon), text.slice(colon + 1).trim())
}

function encoded(text: string): string {
  const equals = text.indexOf('=')
  return `${text.slice(0, equals)}=${encodeURIComponent(text.slice(equals + 1))}`
}

/** Splits a text at unquoted spaces, like a POSIX shell. The end of a command line is a separate word. */
function wordsOf(text: string): string[] {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  const end = () => {
    if (word !== undefined) words.push(word)
    word = undefined
  }
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? ''
    if (quote !== '') {
      if (char === quote) quote = ''
      else if (char === '\\' && quote === '"') word += text[++at] ?? ''
      else word += char
    } else if (char === '"' || char === "'") {
      quote = char
      word ??= ''
    } else if (char === '\\') {
      const next = text[++at] ?? ''
      if (next !== '\n') word = (word ?? '') + next
    } else if (char === '#' && word === undefined) {
      while (at + 1 < text.length && text[at + 1] !== '\n') at++
    } else if (/\s/.test(char)) {
      end()
      if (char === '\n') words.push(char)
    } else word = (word ?? '') + char
  }
  if (quote !== '') throw new Error(`A quote is not closed: ${text}`)
  end()
  return words
}
