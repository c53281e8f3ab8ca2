"""boto3's client: paginators, waiters, errors, binary values."""

import unittest

from botocore.exceptions import ClientError

from harness import client, create_table, table_input

BY_TEAM = {
    "AttributeDefinitions": [
        {"AttributeName": "pk", "AttributeType": "S"},
        {"AttributeName": "sk", "AttributeType": "N"},
        {"AttributeName": "team", "AttributeType": "S"},
    ],
    "GlobalSecondaryIndexes": [{
        "IndexName": "byTeam",
        "KeySchema": [{"AttributeName": "team", "KeyType": "HASH"}],
        "Projection": {"ProjectionType": "ALL"},
    }],
}


class Client(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.table = create_table({"pk": "S", "sk": "N"}, **BY_TEAM)
        for start in range(0, 100, 25):
            client.batch_write_item(RequestItems={cls.table: [
                {"PutRequest": {"Item": {"pk": {"S": "many"}, "sk": {"N": str(i)}, "team": {"S": f"t{i % 4}"}}}}
                for i in range(start, start + 25)
            ]})

    def refused(self, code, message=None):
        """The body must be refused with this error."""
        test = self

        class Refusal:
            def __enter__(self):
                return self

            def __exit__(self, kind, error, _):
                test.assertIsInstance(error, ClientError)
                test.assertEqual(error.response["Error"]["Code"], code)
                if message:
                    test.assertEqual(error.response["Error"]["Message"], message)
                test.assertEqual(error.response["ResponseMetadata"]["HTTPStatusCode"], 400)
                self.response = error.response
                return True

        return Refusal()

    def test_query_paginator_walks_every_page_in_order(self):
        pages = client.get_paginator("query").paginate(
            TableName=self.table, KeyConditionExpression="pk = :p",
            ExpressionAttributeValues={":p": {"S": "many"}}, PaginationConfig={"PageSize": 7})
        self.assertEqual([int(item["sk"]["N"]) for page in pages for item in page["Items"]], list(range(100)))

    def test_query_paginator_walks_an_index(self):
        pages = client.get_paginator("query").paginate(
            TableName=self.table, IndexName="byTeam", KeyConditionExpression="team = :t",
            ExpressionAttributeValues={":t": {"S": "t1"}}, PaginationConfig={"PageSize": 3})
        self.assertEqual(sorted(int(item["sk"]["N"]) for page in pages for item in page["Items"]), list(range(1, 100, 4)))

    def test_scan_paginator_resumes_from_its_token(self):
        paginator = client.get_paginator("scan")
        config = {"PageSize": 10, "MaxItems": 30}
        first = paginator.paginate(TableName=self.table, PaginationConfig=config).build_full_result()
        self.assertEqual(len(first["Items"]), 30)
        rest = paginator.paginate(
            TableName=self.table, PaginationConfig={"PageSize": 10, "StartingToken": first["NextToken"]}).build_full_result()
        keys = {(item["pk"]["S"], item["sk"]["N"]) for item in first["Items"] + rest["Items"] if item["pk"]["S"] == "many"}
        self.assertEqual(len(keys), 100)

    def test_list_tables_paginator(self):
        names = [name for page in client.get_paginator("list_tables").paginate(PaginationConfig={"PageSize": 1})
                 for name in page["TableNames"]]
        self.assertIn(self.table, names)
        self.assertEqual(names, sorted(names))

    def test_waiters_see_a_table_come_and_go(self):
        wanted = table_input({"id": "B"})
        often = {"Delay": 1, "MaxAttempts": 30}
        client.create_table(**wanted)
        client.get_waiter("table_exists").wait(TableName=wanted["TableName"], WaiterConfig=often)
        client.delete_table(TableName=wanted["TableName"])
        client.get_waiter("table_not_exists").wait(TableName=wanted["TableName"], WaiterConfig=often)

    def test_binary_keys_and_values(self):
        table = create_table({"id": "B"})
        every_byte = bytes(range(256))
        client.put_item(TableName=table, Item={"id": {"B": every_byte}, "set": {"BS": [b"\x00", b"\xff"]}})
        item = client.get_item(TableName=table, Key={"id": {"B": every_byte}})["Item"]
        self.assertEqual(item["id"]["B"], every_byte)
        self.assertEqual(sorted(item["set"]["BS"]), [b"\x00", b"\xff"])

    def test_failed_condition_is_its_own_exception(self):
        key = {"pk": {"S": "c"}, "sk": {"N": "1"}}
        client.put_item(TableName=self.table, Item=key)
        with self.assertRaises(client.exceptions.ConditionalCheckFailedException):
            client.put_item(TableName=self.table, Item=key, ConditionExpression="attribute_not_exists(pk)")

    def test_cancelled_transaction_names_its_reasons(self):
        key = {"pk": {"S": "t"}, "sk": {"N": "1"}}
        with self.assertRaises(client.exceptions.TransactionCanceledException) as caught:
            client.transact_write_items(TransactItems=[
                {"Put": {"TableName": self.table, "Item": {"pk": {"S": "t"}, "sk": {"N": "2"}}}},
                {"ConditionCheck": {"TableName": self.table, "Key": key, "ConditionExpression": "attribute_exists(pk)"}},
            ])
        codes = [reason["Code"] for reason in caught.exception.response["CancellationReasons"]]
        self.assertEqual(codes, ["None", "ConditionalCheckFailed"])
        self.assertNotIn("Item", client.get_item(TableName=self.table, Key={"pk": {"S": "t"}, "sk": {"N": "2"}}))

    def test_errors_have_code_message_and_request_id(self):
        with self.refused("ResourceNotFoundException", "Requested resource not found: Table: nowhere not found") as refusal:
            client.describe_table(TableName="nowhere")
        self.assertTrue(refusal.response["ResponseMetadata"]["RequestId"])
        with self.refused("ValidationException"):
            client.query(TableName=self.table)

    def test_batch_get_and_transact_get(self):
        keys = [{"pk": {"S": "many"}, "sk": {"N": str(i)}} for i in range(10)]
        found = client.batch_get_item(RequestItems={self.table: {"Keys": keys, "ConsistentRead": True}})
        self.assertEqual(len(found["Responses"][self.table]), 10)
        together = client.transact_get_items(TransactItems=[{"Get": {"TableName": self.table, "Key": key}} for key in keys])
        self.assertEqual([answer["Item"]["sk"]["N"] for answer in together["Responses"]], [str(i) for i in range(10)])

    def test_partiql_statements(self):
        statement = f'SELECT sk FROM "{self.table}" WHERE pk = ? AND sk BETWEEN ? AND ?'
        parameters = [{"S": "many"}, {"N": "10"}, {"N": "14"}]
        first = client.execute_statement(Statement=statement, Parameters=parameters, Limit=3)
        rest = client.execute_statement(Statement=statement, Parameters=parameters, NextToken=first["NextToken"])
        self.assertEqual([item["sk"]["N"] for item in first["Items"] + rest["Items"]], ["10", "11", "12", "13", "14"])
        self.assertNotIn("NextToken", rest)
        insert = f"INSERT INTO \"{self.table}\" VALUE {{'pk': 'partiql', 'sk': 1, 'b': ?}}"
        client.execute_statement(Statement=insert, Parameters=[{"B": b"\x00\xff"}])
        with self.refused("DuplicateItemException", "Duplicate primary key exists in table"):
            client.execute_statement(Statement=insert, Parameters=[{"B": b"x"}])
        answer = client.batch_execute_statement(Statements=[
            {"Statement": f"SELECT b FROM \"{self.table}\" WHERE pk = 'partiql' AND sk = 1"}])
        self.assertEqual(answer["Responses"], [{"TableName": self.table, "Item": {"b": {"B": b"\x00\xff"}}}])
        client.execute_transaction(TransactStatements=[
            {"Statement": f"UPDATE \"{self.table}\" SET n = 1 WHERE pk = 'partiql' AND sk = 1"},
            {"Statement": f"DELETE FROM \"{self.table}\" WHERE pk = 'partiql' AND sk = 2"}])
        item = client.get_item(TableName=self.table, Key={"pk": {"S": "partiql"}, "sk": {"N": "1"}})["Item"]
        self.assertEqual(item["n"], {"N": "1"})

    def test_tags_and_time_to_live(self):
        arn = client.describe_table(TableName=self.table)["Table"]["TableArn"]
        client.tag_resource(ResourceArn=arn, Tags=[{"Key": "team", "Value": "storage"}])
        self.assertEqual(client.list_tags_of_resource(ResourceArn=arn)["Tags"], [{"Key": "team", "Value": "storage"}])
        client.untag_resource(ResourceArn=arn, TagKeys=["team"])
        client.update_time_to_live(TableName=self.table,
                                   TimeToLiveSpecification={"Enabled": True, "AttributeName": "expires"})
        described = client.describe_time_to_live(TableName=self.table)["TimeToLiveDescription"]
        self.assertEqual(described, {"TimeToLiveStatus": "ENABLED", "AttributeName": "expires"})


if __name__ == "__main__":
    unittest.main()
