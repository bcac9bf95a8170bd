// End a statement
// Ends the transaction of the statement that was sent with a mark: what it has not committed is undone.
// takes: $mark string = '': the mark
// returns: message string: what the server says
SHOW TRANSACTIONS YIELD metaData, transactionId AS marked
WHERE metaData.statement = $mark
TERMINATE TRANSACTIONS marked YIELD message
RETURN message
