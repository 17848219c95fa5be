/** The URI of the cursor pagination profile. Responses that follow the profile name it in their media type. */
export const CURSOR_PROFILE = 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination'
