package message_test

import (
	"errors"
	"fmt"

	"github.com/rwgen/rwgen/runtime/transport/internal/credit"
	"github.com/rwgen/rwgen/runtime/transport/internal/message"
)

func Example() {
	b := message.Credit{Acknowledged: credit.Position{Data: 1000}, Limit: credit.Position{Data: 33768, Events: 1 << 20}}.Append(nil, 7)

	h, err := message.ParseHeader(b[:message.HeaderBytes], message.Client, message.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := message.ParseCredit(b[message.HeaderBytes:])
	fmt.Println(h, c.Limit.Data, err)

	_, err = message.ParseHeader(b[:message.HeaderBytes], message.Server, message.Limits{})
	fmt.Println(err, errors.Is(err, message.ErrMalformed))
	// Output:
	// CREDIT of channel 7, 32 bytes 33768 <nil>
	// message: malformed CREDIT, offset 4: type is not sent by a server true
}
