import { contract } from '@hansom/contract/contract'
import { minifyContractRouter } from '@orpc/contract'

/** Prints the contract's methods and paths, without the schemas, for the client. */
process.stdout.write(JSON.stringify(minifyContractRouter(contract)))
