/** A phrase that the project does not use. */
export interface ProseRule {
  /** Suggested replacements. */
  readonly hint: string
  /** Applied to text whose code, links and markup are blanked. `\u0001` marks code. */
  readonly pattern: RegExp
}

/** The phrases that `npm run lint:prose` counts, by name. CONTRIBUTING.md explains the style. */
export const PROSE_RULES: Readonly<Record<string, ProseRule>> = {
  told: {
    hint: 'report, notify, pass, receive; "the callback receives"',
    pattern:
      /\b(?:is|are|was|were|be|been|being|get|gets|not|never) told\b(?! to\b)|\btold (?:of|apart|what|by|that|which|so|here|once|as)\b/gi,
  },
  tell: {
    hint: 'report, return, indicate, describe, distinguish',
    pattern: /\b(?:tells?|telling)\b/gi,
  },
  asked: {
    hint: 'request, read, call, query; "requested fields"',
    pattern:
      /\b(?:is|are|was|were|be|been|being|not|what|once|first|never|has|have) asked\b|\basked (?:for|of|about|with|by|once|in|what|to|anew|again)\b/gi,
  },
  ask: {
    hint: 'query, request, call, require',
    pattern: /\b(?:asks?|asking)\b(?! first\b| the (?:user|person|author)\b| for confirmation\b)/gi,
  },
  gives: {
    hint: 'return, produce, pass, provide',
    pattern: /\b(?:gives|gave)\b/gi,
  },
  stands: {
    hint: 'is, appears, occurs, is placed',
    pattern: /\b(?:stands?|stood)\b(?! for\b| in for\b|-alone)/gi,
  },
  beside: {
    hint: 'next to, besides, in addition to, alongside',
    pattern: /\bbeside\b/gi,
  },
  'of-own': {
    hint: "its own X, custom X, the user's X",
    pattern: /\bof (?:its|their|your|our|one's|(?:an?|the) \w+'s|\w+s') own\b/gi,
  },
  ours: {
    hint: "the runtime's, Routewright's, built-in",
    pattern: /\bof (?:ours|theirs|yours|its own accord)\b|\b(?:no|none|not) (?:other )?of ours\b/gi,
  },
  whoever: {
    hint: 'name the actor: the caller, the app, a client',
    pattern: /\b(?:whoever|whosoever|whomever|whichever|whatever)\b/gi,
  },
  'who-clause': {
    hint: 'callers, clients, code that …',
    pattern: /\b(?:those|for|of|to|by|from|with|and) who\b|\bwho (?:asks?|awaits?|is told|has it|sees|wants|knows)\b/gi,
  },
  nobody: {
    hint: 'no caller, no code, never',
    pattern: /\b(?:nobody|somebody|anybody|everybody)\b/gi,
  },
  'none-of': {
    hint: 'is not one of, is not a',
    pattern:
      /(?<!\bthere )\b(?:is|are|was|were|be|been) none\b|\bnone (?:of (?:its|theirs|ours|this|these|those|them|the)|that)\b/gi,
  },
  'is-no': {
    hint: 'is not a/an X',
    pattern:
      /(?<!\b(?:there|there's|here|what) )\b(?:is|are|was|were|be) no (?!longer|more|less|fewer|different|matter|need|way|other|one|such|further|later|earlier|better|worse|larger|bigger|use|point)[a-z]+/gi,
  },
  'nothing-of': {
    hint: 'does not …, no X, only X',
    pattern: /\bnothing (?:of|but)\b|\b(?:knows?|says?|tells?|hears?|sees?|does|do) nothing\b/gi,
  },
  'is-there': {
    hint: 'exists, is present, is missing',
    pattern:
      /(?<!\b(?:what|who) )\b(?:is|are|was|were|be|been) (?:not |already |still |never |no longer |always )?there\b(?=[.,;:)]|$| (?:any ?more|already|yet|before|and|but|where|while|is|are|once|twice)\b)/gi,
  },
  'that-there': {
    hint: 'existing X, the available X',
    pattern: /\b(?:that|than|what|which|as|of all) there (?:is|are|was|were)\b/gi,
  },
  'where-if': {
    hint: 'if, when, unless',
    pattern:
      /\b(?:undefined|null|absent|empty|false|true|left out|error|\d{3}|none|nothing|one|not|only|but|and|or|also|else|missing|made) where\b|(?:^|[.;:,]\s)where (?:it|they|there|this|that|one|none|nothing|no|not|a|an|all|any|some|neither|both|only)\b|\bwhere (?:there (?:is|are|was|were)|none|nothing)\b/gim,
  },
  'what-clause': {
    hint: 'start with the noun: "The X …", "Options for …"',
    pattern: /(?:^|[.!?]\s+)(?:What|Who|Whom|Which|Whose|Of what|Of which|Of whom)\s[^.?!]{2,}?(?:[.;:](?=\s|$)|$)/gm,
  },
  'of-front': {
    hint: 'do not front the sentence with "Of …"',
    pattern: /(?:^|[.!?:;]\s+)Of (?!course\b)[a-z]\w*/gm,
  },
  'prep-which': {
    hint: 'split the sentence, or put the preposition last',
    pattern: /\b(?:of|by|with|from|through|among|behind|beside) which\b/gi,
  },
  'has-it': {
    hint: 'as X defines it, as X returns it',
    pattern:
      /\bas (?:it|they|the \w+|[\w:']+) (?:has|have|had|says|say|gives?) (?:it|them|that)\b|\bas (?:it|they) (?:stands?|comes?|came)\b/gi,
  },
  'as-code': {
    hint: 'such as, for example, e.g.',
    pattern: /(?:,|\() ?as (?=\u0001)|\b(?:, )as (?:JSON|Prisma|Workers)\b/g,
  },
  'made-of': {
    hint: 'built from, consists of; "Builds X from Y"',
    pattern: /\bmakes? of\b|\bmade of\b|\bmakes? (?:again|anew|ready)\b|\bmade (?:again|anew|ready)\b/gi,
  },
  'becomes-of': {
    hint: 'what happens to; "changes in X"',
    pattern:
      /\b(?:becomes?|become|became) of\b|\bwhat (?:has become|becomes|becoming|it becomes|came|comes) (?:of|out)\b|\bcom(?:es|e|ing) of\b|\bcame of\b/gi,
  },
  'known-of': {
    hint: 'known about, available, "the handler does not have"',
    pattern: /\bknows? (?:of|no|only|nothing)\b|\bknown of\b|\bto know of\b/gi,
  },
  'said-of': {
    hint: 'specify, state, declare, document',
    pattern:
      /\b(?:says?|said|saying) (?:of|so|it|with|by|again|otherwise|no|more)\b|\bunsaid\b|\b(?:is|are|was|were|be) said\b/gi,
  },
  'but-for': {
    hint: 'except for, apart from',
    pattern: /\bbut for\b|\bsave for\b|\ball but\b/gi,
  },
  archaic: {
    hint: 'expensive, fix, again, thus, forever, misspelled, except …',
    pattern:
      /\b(?:dear(?:er|est)?|mend(?:s|ed|ing)?|anew|thereby|whereby|whereof|thereof|reckon(?:s|ed|ing)?|for ever|misspelt|lest|ere|hence|sooner|accord|foresaw|lets? go of|let go of|in sum|at hand|in sight|bids?|bade)\b/gi,
  },
  alone: {
    hint: 'only, by itself',
    pattern: /(?<!\b(?:those|that|let|itself|this|stands?|leave|leaves|left) )\balone\b/gi,
  },
  'as-far-as': {
    hint: 'if, to the extent that, only',
    pattern: /\bas far as\b/gi,
  },
  'in-place-of': {
    hint: 'instead of',
    pattern: /\bin (?:the )?place of\b|(?<!\b(?:is|are|was|were|put|stay|stays) )\bin (?:its|their) place\b/gi,
  },
  'called-so': {
    hint: 'with that name, named X',
    pattern:
      /\b(?:called|named) (?:so|like|as)\b|\bis called (?!when|with|before|after|by|once|for|at|again|from|only|in|on|if|as soon|and|twice|instead|first|last|per)\w+/gi,
  },
  gone: {
    hint: 'disconnected, was removed, no longer exists',
    pattern: /\b(?:has|have|had|is|are|was|were) gone\b/gi,
  },
  'at-once': {
    hint: 'immediately; concurrently; in one request',
    pattern: /\bat once\b|\ball at once\b/gi,
  },
  looks: {
    hint: 'inspect, check, search',
    pattern: /\blook(?:s|ed|ing)? (?:at|into|whether|what|again)\b(?! first sight)/gi,
  },
  'lead-to': {
    hint: 'refers to, points to, resolves to',
    pattern: /\bleads? (?:to|nowhere|into)\b|\bled to\b/gi,
  },
  heard: {
    hint: 'subscribe, observe, has a hook for',
    pattern: /\b(?:hear|hears|heard|hearing)\b/gi,
  },
}
