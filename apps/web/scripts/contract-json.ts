import { minifyContractRouter } from '@orpc/contract'
import { contract } from '@hansom/contract/contract'

/** Prints the contract's methods and paths, without the schemas, for the client. */
process.stdout.write(JSON.stringify(minifyContractRouter(contract)))
