declare module 'virtual:site-texts' {
  import type { SiteTexts } from '@hansom/domain/languages/page-texts'

  const texts: SiteTexts
  export default texts
}

declare module 'virtual:contract' {
  import type { contract } from '@hansom/contract/contract'

  const minified: typeof contract
  export default minified
}
