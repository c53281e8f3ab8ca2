"""boto3's resource API: Python values, Decimal, condition builders, batches."""

import unittest
from decimal import Decimal

from boto3.dynamodb.conditions import Attr, Key
from boto3.dynamodb.types import Binary
from botocore.exceptions import ClientError

from harness import create_table, resource


class Resource(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.table = resource.Table(create_table({"pk": "S", "sk": "N"}))
        with cls.table.batch_writer() as batch:
            for i in range(60):
                batch.put_item(Item={"pk": "batch", "sk": i, "even": i % 2 == 0, "text": f"row {i}"})

    def test_python_values_come_back_equal(self):
        item = {
            "pk": "values", "sk": 1, "text": "grüezi", "yes": True, "nothing": None, "bytes": Binary(b"\x00\x01"),
            "list": [Decimal(1), "two", [None]], "map": {"deep": {"er": Decimal("0.1")}},
            "strings": {"a", "b"}, "numbers": {Decimal(1), Decimal("2.5")}, "binaries": {b"x", b"y"},
        }
        self.table.put_item(Item=item)
        found = self.table.get_item(Key={"pk": "values", "sk": 1}, ConsistentRead=True)["Item"]
        found["binaries"] = {bytes(element) for element in found["binaries"]}
        self.assertEqual(found, item)

    def test_decimals_are_exact(self):
        for text in ["12345678901234567890123456789012345678", "-0.1", "1E-130", "1.2345678901234567890123456789012345678"]:
            with self.subTest(text):
                self.table.put_item(Item={"pk": "decimal", "sk": 1, "n": Decimal(text)})
                self.assertEqual(self.table.get_item(Key={"pk": "decimal", "sk": 1})["Item"]["n"], Decimal(text))

    def test_condition_builders(self):
        answer = self.table.query(
            KeyConditionExpression=Key("pk").eq("batch") & Key("sk").between(10, 19),
            FilterExpression=Attr("even").eq(True) & ~Attr("text").contains("14"))
        self.assertEqual([int(item["sk"]) for item in answer["Items"]], [10, 12, 16, 18])
        self.assertEqual((answer["Count"], answer["ScannedCount"]), (4, 10))
        scanned = self.table.scan(FilterExpression=Attr("text").begins_with("row 5") & Attr("sk").is_in([5, 50, 51]))
        self.assertEqual(sorted(int(item["sk"]) for item in scanned["Items"]), [5, 50, 51])

    def test_update_counts_and_returns(self):
        key = {"pk": "counter", "sk": 0}
        for expected in (1, 2):
            answer = self.table.update_item(
                Key=key, UpdateExpression="ADD hits :one SET #l = list_append(if_not_exists(#l, :none), :entry)",
                ExpressionAttributeNames={"#l": "log"},
                ExpressionAttributeValues={":one": 1, ":none": [], ":entry": [expected]}, ReturnValues="ALL_NEW")
            self.assertEqual(answer["Attributes"]["hits"], expected)
        self.assertEqual(answer["Attributes"]["log"], [1, 2])
        self.assertEqual(self.table.delete_item(Key=key, ReturnValues="ALL_OLD")["Attributes"]["hits"], 2)

    def test_condition_failure(self):
        with self.assertRaises(ClientError) as caught:
            self.table.put_item(Item={"pk": "batch", "sk": 1}, ConditionExpression=Attr("pk").not_exists())
        self.assertEqual(caught.exception.response["Error"]["Code"], "ConditionalCheckFailedException")

    def test_batch_writer_deletes_and_replaces(self):
        with self.table.batch_writer(overwrite_by_pkeys=["pk", "sk"]) as batch:
            for round_ in range(3):
                for i in range(30):
                    batch.put_item(Item={"pk": "rewritten", "sk": i, "round": round_})
            batch.delete_item(Key={"pk": "rewritten", "sk": 0})
        items = self.table.query(KeyConditionExpression=Key("pk").eq("rewritten"))["Items"]
        self.assertEqual(len(items), 29)
        self.assertEqual({item["round"] for item in items}, {2})

    def test_table_attributes(self):
        self.table.reload()
        self.assertEqual(self.table.table_status, "ACTIVE")
        self.assertEqual(self.table.key_schema, [{"AttributeName": "pk", "KeyType": "HASH"},
                                                 {"AttributeName": "sk", "KeyType": "RANGE"}])
        self.assertIn(self.table.name, [table.name for table in resource.tables.all()])


if __name__ == "__main__":
    unittest.main()
