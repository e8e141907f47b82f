// A circuit relay v2 and Kademlia server.
//
//   node serve.js --listen /ip4/0.0.0.0/tcp/4001 --dht /chakart/NAME/kad/1.0.0 [--reservation-seconds N]
//
// Prints 'listening on ADDR' for each address that it has; ends with its standard input.
import { arguments_, host } from './host.js'
import { circuitRelayServer } from '@libp2p/circuit-relay-v2'

const { listen, dht, reservationSeconds } = arguments_({
  listen: '/ip4/0.0.0.0/tcp/4001', dht: '/chakart/test/kad/1.0.0', reservationSeconds: '3600'
})
const reservations = { reservationTtl: Number(reservationSeconds) * 1000 }
const server = await host({
  listen: [listen],
  dht: { protocol: dht, clientMode: false },
  services: { relay: circuitRelayServer({ reservations }) }
})
for (const address of server.getMultiaddrs()) {
  console.log(`listening on ${address}`)
}
process.stdin.on('end', () => process.exit(0)).resume()
