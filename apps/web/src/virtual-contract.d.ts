declare module 'virtual:contract' {
  import type { contract } from '@hansom/contract/contract'
  const minified: typeof contract
  export default minified
}
